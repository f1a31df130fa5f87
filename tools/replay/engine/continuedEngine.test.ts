import { expect, test } from 'vitest';
import { capturesBefore } from './continuedEngine.ts';

test.each([
  ['x.parley.jsonl', []],
  ['a/x.then.parley.jsonl', ['a/x.parley.jsonl']],
  ['x.then.parley.jsonl.gz', ['x.parley.jsonl.gz']],
  ['x.then.then.parley.jsonl', ['x.parley.jsonl', 'x.then.parley.jsonl']],
  ['s3://bucket/x.then.parley.jsonl', ['s3://bucket/x.parley.jsonl']],
  ['x.then.har', []],
  ['then.parley.jsonl', []],
  ['a.then/x.parley.jsonl', []],
])('the captures before %s are %j', (capture, before) => {
  expect(capturesBefore(capture)).toEqual(before);
});
