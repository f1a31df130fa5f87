import { type InspectorClient, SupersededError } from '../../protocol/client.ts';
import type { Store } from './createStore.ts';
import type { InspectorState } from './state.ts';

/** The shared parts of the session's modules. */
export interface Core {
  readonly client: InspectorClient;
  readonly store: Store<InspectorState>;
  /** Shows a notice of one line. */
  notify(text: string): void;
  /** Shows an error. */
  fail(error: unknown): void;
}

/** Creates the shared parts of the session’s modules. */
export function createCore(client: InspectorClient, store: Store<InspectorState>): Core {
  return {
    client,
    store,
    notify: (text) => store.set({ notice: { text, isError: false } }),
    fail(error) {
      // A newer request is in progress.
      if (!(error instanceof SupersededError))
        store.set({ notice: { text: errorText(error), isError: true } });
    },
  };
}

/** Returns the message of an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
