import { expect, it } from 'vitest';
import { latest } from './latest.ts';

/** Work that ends when the test says so. */
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

it('asked while busy, only the newest is done afterwards', async () => {
  const { ask, begun, ends } = heldWork();
  for (const what of [1, 2, 3, 4]) ask(what);
  expect(begun).toEqual([1]);
  ends[0]?.done();
  await expect.poll(() => begun).toEqual([1, 4]);
});

it('a piece that fails, told, and the next is done', async () => {
  const { ask, begun, errors, ends } = heldWork();
  ask(1);
  ask(2);
  ends[0]?.failed(new Error('broken'));
  await expect.poll(() => begun).toEqual([1, 2]);
  expect(errors).toEqual([new Error('broken')]);
});

it('asked again when all is done, begun', async () => {
  const { ask, begun, ends } = heldWork();
  ask(1);
  ends[0]?.done();
  ask(2);
  await expect.poll(() => begun).toEqual([1, 2]);
});
