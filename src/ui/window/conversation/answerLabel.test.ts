import { expect, it } from 'vitest';
import { isRunning, isUnfinished, nameInLabel } from './answerLabel.ts';

const COMPLETE = { runs: false, unfinished: false };
const RUNS = { runs: true, unfinished: false };
const UNFINISHED = { runs: false, unfinished: true };

it.each([
  ['Parley', 'Parley', COMPLETE],
  ['Parley is writing…', 'Parley', RUNS],
  ['Parley is thinking…', 'Parley', RUNS],
  ['Parley is writing code, 14 lines…', 'Parley', RUNS],
  ['Who is writing is writing a table…', 'Who is writing', RUNS],
  ['Looking it up…', '', RUNS],
  ['Parley · 312 tokens · …', 'Parley', RUNS],
  ['Parley · stopped', 'Parley', UNFINISHED],
  ['Parley · cut off', 'Parley', UNFINISHED],
  ['Parley · stopped ', 'Parley · stopped ', UNFINISHED],
  ['Parley · 312 tokens · first after 0.4 s · 38 tokens/s', 'Parley', COMPLETE],
  ['Parley · 1 token', 'Parley', COMPLETE],
  ['Parley · 1,312 tokens · stopped', 'Parley', UNFINISHED],
  ['Ada · Support', 'Ada · Support', COMPLETE],
  ['Ada is writing', 'Ada is writing', COMPLETE],
  ['stopped', 'stopped', COMPLETE],
  ['', '', COMPLETE],
])('reads the label %j', (label, name, { runs, unfinished }) => {
  expect([nameInLabel(label), isRunning(label), isUnfinished(label)]).toEqual([name, runs, unfinished]);
});
