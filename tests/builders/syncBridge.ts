import { setImmediate } from 'node:timers/promises';
import type { ParleySyncBridge } from '#shared/ipc/sync.ts';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { heartbeat, sequenceOf } from '#shared/store/sequence.ts';
import { sessionStore } from './sessionStore.ts';

interface Fetch {
  readonly resolve: (state: string) => void;
  readonly reject: (reason: Error) => void;
}

/** A main whose store is real, and a bridge on which a test delivers, loses and answers by hand. */
export function syncBridge() {
  const session = sessionStore();
  const fetches: Fetch[] = [];
  const listeners = new Set<(action: unknown) => void>();
  const sync: ParleySyncBridge = {
    fetchState: () => new Promise((resolve, reject) => void fetches.push({ resolve, reject })),
    onAction(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const shared = () => sharedPart(session.store.getState());
  return {
    ...session,
    sync,
    fetches,
    /** What a window should come to. */
    shared,
    /** Everything that main has forwarded so far, in its order, as it arrives on the other side. */
    forwarded: () =>
      session.reduced
        .filter((action) => sequenceOf(action) !== undefined)
        .map((action): unknown => JSON.parse(JSON.stringify(action))),
    deliver: (...actions: readonly unknown[]) =>
      actions.forEach((action) => listeners.forEach((listener) => listener(action))),
    heartbeat: () => heartbeat(session.store.getState().sequence),
    /** Answers the oldest fetch with main's state as it is now, or as it was. */
    async answer(state: unknown = shared()) {
      fetches.shift()?.resolve(JSON.stringify(state));
      await setImmediate();
    },
    async refuse() {
      fetches.shift()?.reject(new Error('no window of Parley'));
      await setImmediate();
    },
  };
}
