import { type InspectorClient, SupersededError } from '../../protocol/client.ts';
import type { Store } from './createStore.ts';
import type { InspectorState } from './state.ts';

/** The shared parts of the session's modules. */
export interface Core {
  readonly client: InspectorClient;
  readonly store: Store<InspectorState>;
  /** Shows a notice of one line until the person changes what it is about: the step, the search, the list or the edits. */
  notify(text: string): void;
  /** Shows a warning about the session, as long as the session is shown. */
  warn(text: string, isError: boolean): void;
  /** Shows an error. */
  fail(error: unknown): void;
  /** Shows an error under the field of the search. */
  failSearch(error: unknown): void;
}

/** The parts of the state that a notice is about. */
const SUBJECT = ['branch', 'step', 'search', 'filter', 'range', 'edits', 'compare'] as const;

/** Creates the shared parts of the session’s modules. */
export function createCore(client: InspectorClient, store: Store<InspectorState>): Core {
  removeOldNotices(store);
  return {
    client,
    store,
    notify: (text) => store.set({ notice: { text, isError: false } }),
    warn: (text, isError) => store.set({ warning: { text, isError } }),
    fail: unlessSuperseded((error) => store.set({ notice: { text: errorText(error), isError: true } })),
    failSearch: unlessSuperseded((error) => store.set({ searchError: errorText(error) })),
  };
}

/** Ignores the error for a request when a newer one is in progress. */
const unlessSuperseded = (show: (error: unknown) => void) => (error: unknown) => {
  if (!(error instanceof SupersededError)) show(error);
};

/** Removes a notice when a part of its subject changes. */
function removeOldNotices(store: Store<InspectorState>): void {
  let shown: InspectorState | undefined;
  store.subscribe(() => {
    const state = store.get();
    if (state.notice === undefined) shown = undefined;
    else if (state.notice !== shown?.notice) shown = state;
    else if (SUBJECT.some((name) => state[name] !== shown?.[name])) store.set({ notice: undefined });
  });
}

/** Returns the message of an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
