import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { all } from '../testing/files.ts';
import { untilAborted } from './interruption.ts';

async function* numbers() {
  yield* [1, 2];
}

async function* unending() {
  await new Promise(() => undefined);
  yield 1;
}

test('leaves no listener, so that one signal can end many lists', async () => {
  const { signal } = new AbortController();
  expect(await all(untilAborted(numbers(), signal))).toEqual([1, 2]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('ends at an abort while the first item is prepared', async () => {
  const stop = new AbortController();
  const items = all(untilAborted(unending(), stop.signal));
  stop.abort();
  expect(await items).toEqual([]);
});
