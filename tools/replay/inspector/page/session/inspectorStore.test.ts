import { expect, it } from 'vitest';
import { createCore, createStore, latest } from './inspectorStore.ts';
import { type InspectorState, initialState } from './inspectorState.ts';
import { modelClient } from './testing/modelClient.ts';

const NEXT: readonly Partial<InspectorState>[] = [
  { step: 4 },
  { search: { kind: 'expression', text: 'x' } },
  { filter: { text: 'x', kinds: [], changedOnly: false } },
  { branch: 'edited' },
  { range: { from: 0, to: 1, base: 0, last: 9 } },
];

it.each(NEXT)('removes a notice when its subject changes to %j, and keeps a warning', (part) => {
  const store = createStore<InspectorState>(initialState);
  const { notify, fail, warn } = createCore(modelClient(), store);
  warn('The last line is truncated.', false);
  store.set({ step: 3 });
  for (const say of [() => notify('Found at step 3.'), () => fail(new Error('Not a number.'))]) {
    say();
    store.set({ speed: 10 });
    expect(store.get().notice).toBeDefined();
    store.set(part);
    expect(store.get().notice).toBeUndefined();
    store.set({ ...initialState, warning: store.get().warning, step: 3 });
  }
  expect(store.get().warning?.text).toBe('The last line is truncated.');
});

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
