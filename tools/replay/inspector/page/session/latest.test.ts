import { expect, it } from 'vitest';
import { latest } from './latest.ts';

/** Work that ends when the test ends it. */
function heldWork() {
  const begun: number[] = [];
  const errors: unknown[] = [];
  const ends: { readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  const ask = latest<number>(
    (what) => {
      begun.push(what);
      return new Promise((done, failed) => {
        ends.push({ done, failed });
      });
    },
    (error) => errors.push(error),
  );
  return { ask, begun, errors, ends };
}

it('does only the newest piece of those requested while it is busy', async () => {
  const { ask, begun, ends } = heldWork();
  for (const what of [1, 2, 3, 4]) ask(what);
  expect(begun).toEqual([1]);
  ends[0]?.done();
  await expect.poll(() => begun).toEqual([1, 4]);
});

it('reports a piece that fails and does the next one', async () => {
  const { ask, begun, errors, ends } = heldWork();
  ask(1);
  ask(2);
  ends[0]?.failed(new Error('broken'));
  await expect.poll(() => begun).toEqual([1, 2]);
  expect(errors).toEqual([new Error('broken')]);
});

it('starts a piece that is requested when it is idle', async () => {
  const { ask, begun, ends } = heldWork();
  ask(1);
  ends[0]?.done();
  ask(2);
  await expect.poll(() => begun).toEqual([1, 2]);
});
