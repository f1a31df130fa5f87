import type { ParleySyncBridge, ParleyToolsBridge, ToolsReceived } from '#shared/ipc/channels.ts';
import { setImmediate } from 'node:timers/promises';
import { isAction } from '@reduxjs/toolkit';
import { actionForWindows, partText, stateText } from '#main/store/actionForWindows.ts';
import { conversationStartReducer } from '#shared/store/conversationSlices.ts';
import { type SharedState, sharedPart } from '#shared/store/rootReducer.ts';
import { sequenceNumber } from '#shared/store/sessionMiddleware.ts';
import { sessionStore } from './sessionStore.ts';
import { heartbeat } from '#shared/actions/sessionActions.ts';

interface Fetch<T> {
  readonly resolve: (answer: T) => void;
  readonly reject: (reason: Error) => void;
}

/** Creates a main with a real store, and a bridge on which the test delivers, drops and answers messages. */
export function syncBridge() {
  const session = sessionStore();
  const fetches: Fetch<string>[] = [];
  const partFetches: (Fetch<string | null> & { readonly start: number; readonly before: number })[] = [];
  const listeners = new Set<(action: unknown) => void>();
  const sync: ParleySyncBridge = {
    fetchState: () => new Promise((resolve, reject) => void fetches.push({ resolve, reject })),
    fetchPart: (start, before) =>
      new Promise((resolve, reject) => void partFetches.push({ start, before, resolve, reject })),
    onAction(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const shared = () => sharedPart(session.store.getState());
  const numbered = () =>
    session.reduced.filter(isAction).filter((action) => sequenceNumber(action) !== undefined);
  const fetchable = (state: SharedState) => ({
    ...state,
    conversationStart: numbered()
      .slice(0, state.sequence)
      .reduce((start, action) => conversationStartReducer(start, action), 0),
  });
  return {
    ...session,
    sync,
    fetches,
    partFetches,
    /** Returns the state that a window should reach. */
    shared,
    /** Returns everything that main has forwarded so far, in order, as a window receives it. */
    forwarded: () =>
      numbered().map((action): unknown => JSON.parse(JSON.stringify(actionForWindows(action)))),
    deliver: (...actions: readonly unknown[]) =>
      actions.forEach((action) => listeners.forEach((listener) => listener(action))),
    heartbeat: () => heartbeat(session.store.getState().sequence),
    /** Answers the oldest fetch with main's current state, or with any other value. */
    async answer(state: unknown = shared()) {
      fetches.shift()?.resolve(isShared(state) ? stateText(fetchable(state)) : JSON.stringify(state));
      await setImmediate();
    },
    async refuse() {
      fetches.shift()?.reject(new Error('no window of Parley'));
      await setImmediate();
    },
    /** Answers the oldest request for a part from main's current state. */
    async answerPart() {
      const fetch = partFetches.shift();
      fetch?.resolve(partText(fetchable(shared()), fetch));
      await setImmediate();
    },
    async refusePart() {
      partFetches.shift()?.reject(new Error('reply was never sent'));
      await setImmediate();
    },
  };
}

const isShared = (state: unknown): state is SharedState =>
  typeof state === 'object' && state !== null && 'conversation' in state;

/** Creates a window's `parleyTools`: keeps what the window sends, and sends messages as main does. */
export function toolsBridge() {
  const listeners = new Map<string, (...args: readonly unknown[]) => void>();
  const sent: unknown[][] = [];
  const tools: ParleyToolsBridge = {
    send: (...message) => void sent.push([...message]),
    on(channel, listener) {
      // The tests send only what the channel carries.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      listeners.set(channel, listener as (...args: readonly unknown[]) => void);
      return () => listeners.delete(channel);
    },
  };
  return {
    tools,
    sent,
    emit: <C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]) =>
      listeners.get(channel)?.(...args),
  };
}
