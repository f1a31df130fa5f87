import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { all, createOutput } from '../testing/files.ts';
import { listenForInterruption, untilAborted } from './interruption.ts';
import { isColored } from './output.ts';
import { createProgress } from './progress.ts';

async function* numbers() {
  yield* [1, 2];
}

async function* unending() {
  yield await new Promise(() => undefined);
}

test('ends a list at an abort, and leaves no listener, so that one signal can end many lists', async () => {
  const stop = new AbortController();
  expect(await all(untilAborted(numbers(), stop.signal))).toEqual([1, 2]);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  // The first item is still prepared.
  const items = all(untilAborted(unending(), stop.signal));
  stop.abort();
  expect(await items).toEqual([]);
});

test('ends the process 1.8 s after the first signal with its status, whatever still runs', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(vi.fn<() => never>());
  const on = vi.spyOn(process, 'on').mockReturnValue(process);
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const { signal, statusOr } = listenForInterruption();
  expect(statusOr(1)).toBe(1);
  const listeners = new Map(on.mock.calls);
  for (const name of ['SIGTERM', 'SIGINT']) listeners.get(name)?.();
  expect([signal.aborted, statusOr(1)]).toEqual([true, 143]);
  vi.advanceTimersByTime(1799);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[143]]);
});

test.each([
  [true, undefined, true],
  [true, '', true],
  [true, '1', false],
  [true, '0', false],
  [false, undefined, false],
])('a stream that is a terminal (%s), with NO_COLOR %j, is colored: %s', (isTTY, noColor, expected) => {
  expect(isColored({ isTTY }, { NO_COLOR: noColor })).toBe(expected);
});

test('shows the progress of a task longer than a second on a terminal, at most every 100 ms, and then removes it', () => {
  const clock = virtualClock();
  const { output, printed } = createOutput(true);
  const progress = createProgress(output, clock, 'reading');
  progress.at(1, 100);
  clock.advance(999);
  progress.at(2, 100);
  clock.advance(1);
  progress.at(25, 100);
  progress.at(26, 100);
  clock.advance(100);
  progress.at(100, 100);
  progress.end();
  const shown = ['██████░░░░░░░░░░░░░░░░░░  25 %', '████████████████████████  100 %'];
  expect(printed.err).toBe(`${shown.map((bar) => `\r\u001B[Kreading  ${bar}`).join('')}\r\u001B[K`);
});
