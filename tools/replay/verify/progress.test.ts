import { expect, test } from 'vitest';
import { startProgress } from './progress.ts';

function progressOn(isErrTerminal: boolean) {
  const printed: string[] = [];
  const clock = { now: 0 };
  const err = (text: string) => void printed.push(text);
  const output = { out: err, err, isOutTerminal: false, isErrTerminal };
  return { printed, clock, progress: startProgress(100, output, () => clock.now) };
}

test('done within a second, nothing is shown', () => {
  const { printed, clock, progress } = progressOn(true);
  clock.now = 999;
  progress.advance(100);
  progress.end();
  expect(printed).toEqual([]);
});

test('longer than a second, a line is shown, not at every turn, and taken away in the end', () => {
  const { printed, clock, progress } = progressOn(true);
  progress.advance(10);
  clock.now = 1000;
  progress.advance(20);
  clock.now = 1050;
  progress.advance(5);
  clock.now = 1100;
  progress.advance(5);
  progress.end();
  expect(printed).toEqual(['\r\u001b[K30 of 100 captures', '\r\u001b[K40 of 100 captures', '\r\u001b[K']);
});

test('no terminal, nothing is shown', () => {
  const { printed, clock, progress } = progressOn(false);
  clock.now = 5000;
  progress.advance(1);
  progress.end();
  expect(printed).toEqual([]);
});
