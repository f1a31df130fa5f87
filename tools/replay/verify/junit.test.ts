import { expect, test } from 'vitest';
import type { CaptureResult } from './captureResult.ts';
import { junit } from './junit.ts';

const RESULTS: readonly CaptureResult[] = [
  { capture: 'a&b.parley.jsonl', ms: 1.5, warnings: [], outcome: 'same', updates: 3 },
  {
    capture: 'c.parley.jsonl',
    ms: 2,
    warnings: [],
    outcome: 'differs',
    difference: {
      update: { number: 4, kind: 'text', effect: 'applied', tick: 400 },
      state: [{ path: 'messages[0]["<x>"]', expected: ']]>', got: '"' }],
      end: [],
    },
  },
  {
    capture: 'd.parley.jsonl',
    ms: 0,
    warnings: [],
    outcome: 'unusable',
    problem: 'd\u0007\ud800: is <empty> & "bad"',
  },
];

test('writes a test case for each capture, and distinguishes failures and errors', () => {
  expect(junit(RESULTS, 0.25).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="3" failures="1" errors="1" time="0.250">',
    '  <testsuite name="parley-replay" tests="3" failures="1" errors="1" time="0.250">',
    '    <testcase classname="parley-replay" name="a&amp;b.parley.jsonl" time="0.0015"/>',
    '    <testcase classname="parley-replay" name="c.parley.jsonl" time="0.0020">' +
      '<failure type="differs" message="first differs after update 4 (text, applied, at 400 ms)">' +
      '  first differs after update 4 (text, applied, at 400 ms)',
    '    messages[0][&quot;&lt;x&gt;&quot;]',
    '      expected  &quot;]]&gt;&quot;',
    '      got       &quot;\\&quot;&quot;</failure></testcase>',
    '    <testcase classname="parley-replay" name="d.parley.jsonl" time="0.0000">' +
      '<error type="unusable" message="d\uFFFD\uFFFD: is &lt;empty&gt; &amp; &quot;bad&quot;"/></testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});
