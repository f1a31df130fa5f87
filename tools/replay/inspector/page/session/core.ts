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
  /** Shows an error under the field of the search. */
  failSearch(error: unknown): void;
}

/** Creates the shared parts of the session’s modules. */
export function createCore(client: InspectorClient, store: Store<InspectorState>): Core {
  return {
    client,
    store,
    notify: (text) => store.set({ notice: { text, isError: false } }),
    fail: unlessSuperseded((error) => store.set({ notice: { text: errorText(error), isError: true } })),
    failSearch: unlessSuperseded((error) => store.set({ searchError: errorText(error) })),
  };
}

/** Ignores the error for a request when a newer one is in progress. */
const unlessSuperseded = (show: (error: unknown) => void) => (error: unknown) => {
  if (!(error instanceof SupersededError)) show(error);
};

/** Returns the message of an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
