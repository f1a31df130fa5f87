import { type InspectorClient, SupersededError } from '../../protocol/client.ts';
import type { Store } from './createStore.ts';
import type { InspectorState } from './state.ts';

/** What every part of the session works with. */
export interface Core {
  readonly client: InspectorClient;
  readonly store: Store<InspectorState>;
  /** Tells the person something in a line. */
  tell(words: string): void;
  /** Tells the person what went wrong. */
  fail(error: unknown): void;
}

export function createCore(client: InspectorClient, store: Store<InspectorState>): Core {
  return {
    client,
    store,
    tell: (words) => store.set({ notice: { words, isError: false } }),
    fail(error) {
      // Somebody has asked for something newer, which is under way.
      if (!(error instanceof SupersededError))
        store.set({ notice: { words: wordsOf(error), isError: true } });
    },
  };
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
