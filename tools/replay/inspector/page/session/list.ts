import type { Core } from './core.ts';
import { latest } from './latest.ts';
import { type ListFilter, activeFilter } from './state.ts';

/** The filtered list of steps. */
export interface List {
  filter(part: Partial<ListFilter>): void;
  /** Filters again, after a change of the session, the branch or the range. */
  refresh(): void;
  /** Returns the step of the entry at an offset from the selected one; `undefined` outside the list. */
  stepAfter(entries: number): Promise<number | undefined>;
}

/** Creates the list of steps. */
export function createList({ client, store, fail }: Core): List {
  const refresh = latest<void>(async () => {
    const { branch } = store.get();
    const { count } = await client.request('filter', { branch, filter: activeFilter(store.get()) });
    // Read after the request, because the selected step can change meanwhile, as when the page opens at a step.
    const { step } = store.get();
    const index = await client.request('rowOf', { step });
    store.set({ list: { count, index, version: store.get().list.version + 1 } });
  }, fail);
  return {
    refresh: () => refresh(),
    filter: (part) => {
      store.set({ filter: { ...store.get().filter, ...part } });
      refresh();
    },
    async stepAfter(entries) {
      const { list, step } = store.get();
      const index = await client.request('rowOf', { step });
      const wanted = Math.min(list.count - 1, Math.max(0, index + entries));
      const [row] = await client.request('rows', { from: wanted, to: wanted + 1 });
      return row?.step;
    },
  };
}
