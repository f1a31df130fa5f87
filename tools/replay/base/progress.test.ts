import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { createProgress } from './progress.ts';

function progressOn(isErrTerminal: boolean) {
  const clock = virtualClock();
  const printed: string[] = [];
  const output = {
    out: () => {},
    err: (text: string) => void printed.push(text),
    isOutColored: false,
    isErrTerminal,
  };
  return { clock, printed, progress: createProgress(output, clock, 'reading') };
}

test('shows the progress of a task longer than a second, at most every 100 ms, and then removes it', () => {
  const { clock, printed, progress } = progressOn(true);
  progress.at(1, 100);
  clock.advance(999);
  progress.at(2, 100);
  clock.advance(1);
  progress.at(25, 100);
  progress.at(26, 100);
  clock.advance(100);
  progress.at(100, 100);
  progress.end();
  expect(printed).toEqual([
    '\r\u001B[Kreading  ██████░░░░░░░░░░░░░░░░░░  25 %',
    '\r\u001B[Kreading  ████████████████████████  100 %',
    '\r\u001B[K',
  ]);
});

test('shows nothing for a task shorter than a second', () => {
  const { printed, progress } = progressOn(true);
  progress.at(100, 100);
  progress.end();
  expect(printed).toEqual([]);
});

test('shows nothing when stderr is not a terminal', () => {
  const { clock, printed, progress } = progressOn(false);
  clock.advance(5000);
  progress.at(1, 2);
  progress.end();
  expect(printed).toEqual([]);
});
