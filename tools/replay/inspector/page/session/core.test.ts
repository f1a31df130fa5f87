import { expect, it } from 'vitest';
import { createCore } from './core.ts';
import { createStore } from './createStore.ts';
import { type InspectorState, initialState } from './state.ts';
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
