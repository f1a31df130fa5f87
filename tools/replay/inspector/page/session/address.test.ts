import { expect, it, onTestFinished, vi } from 'vitest';
import { createCore, createStore } from './inspectorStore.ts';
import { followHash, startOfHash } from './address.ts';
import { type InspectorState, initialState } from './inspectorState.ts';
import { modelClient } from './testing/modelClient.ts';

it.each([
  ['#step=12', { step: 12 }],
  ['#update=7', { update: 7 }],
  ['#a=1&step=3', { step: 3 }],
  ['#a=1&update=3', { update: 3 }],
  ['#at=2:03.400', { t: 123_400 }],
  ['#at=12', { t: 12_000 }],
  ['#at=1:2', undefined],
  ['#nostep=3', undefined],
  ['#step=', undefined],
  ['#update=x', undefined],
  ['', undefined],
])('reads from the address %j the start %j', (hash, start) => {
  expect(startOfHash(hash)).toEqual(start);
});

it('writes the selected step into the address, but not over an address that has just been entered', () => {
  vi.useFakeTimers();
  const address = { hash: '' };
  const page = new EventTarget();
  vi.stubGlobal('location', address);
  vi.stubGlobal('window', page);
  vi.stubGlobal('history', {
    replaceState: (_state: null, _title: string, hash: string) => (address.hash = hash),
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const store = createStore<InspectorState>({ ...initialState, phase: { kind: 'ready' } });
  followHash(createCore(modelClient(), store), (step) => store.set({ step }));
  store.set({ step: 2 });
  vi.runAllTimers();
  expect(address.hash).toBe('#step=2');

  store.set({ step: 3 });
  address.hash = '#step=20';
  vi.runAllTimers();
  expect(address.hash).toBe('#step=20');
  const newURL = 'http://127.0.0.1/#step=20';
  page.dispatchEvent(Object.assign(new Event('hashchange'), { newURL }));
  expect(store.get().step).toBe(20);
  store.set({ step: 21 });
  vi.runAllTimers();
  expect(address.hash).toBe('#step=21');
});
