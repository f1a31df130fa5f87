import { expect, it } from 'vitest';
import { latest } from './latest.ts';

/** Work that ends when the test ends it. */
function heldWork() {
  const started: number[] = [];
  const errors: unknown[] = [];
  const ends: { readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  const request = latest<number>(
    (what) => {
      started.push(what);
      return new Promise((done, failed) => {
        ends.push({ done, failed });
      });
    },
    (error) => errors.push(error),
  );
  return { request, started, errors, ends };
}

it('does only the newest piece of those requested while it is busy', async () => {
  const { request, started, ends } = heldWork();
  for (const what of [1, 2, 3, 4]) request(what);
  expect(started).toEqual([1]);
  ends[0]?.done();
  await expect.poll(() => started).toEqual([1, 4]);
});

it('reports a piece that fails and does the next one', async () => {
  const { request, started, errors, ends } = heldWork();
  request(1);
  request(2);
  ends[0]?.failed(new Error('broken'));
  await expect.poll(() => started).toEqual([1, 2]);
  expect(errors).toEqual([new Error('broken')]);
});

it('starts a piece that is requested when it is idle', async () => {
  const { request, started, ends } = heldWork();
  request(1);
  ends[0]?.done();
  request(2);
  await expect.poll(() => started).toEqual([1, 2]);
});
