import { type Action, type StoreEnhancer, isAction } from '@reduxjs/toolkit';
import type { ParleySyncBridge } from '#shared/ipc/sync.ts';
import { conversationStartReducer, snapshotApplied } from '#shared/store/conversation.ts';
import { heartbeat, sequenceOf } from '#shared/store/sequence.ts';
import { parsePart, parseState } from './parseFetched.ts';
import { createPartReader } from './readParts.ts';
import { partArrived, snapshotArrived, stateFetched } from './windowReducer.ts';

/**
 * The window's side of the store synchronisation, as a store enhancer: main orders, the window follows its numbers.
 *
 *     fetching ──── state of number n ────▶ following
 *        ▲   what comes meanwhile is           │ n + 1: applied
 *        │   kept and looked at afterwards     │ n or less: dropped
 *        └── a gap, or a heartbeat with ◀──────┘
 *            a number that is not n
 *
 * A fetch that is refused is made again with the next action or heartbeat. State and snapshots arrive with their newest
 * messages; the part reader fetches the others meanwhile.
 */
export function follow(sync: ParleySyncBridge): StoreEnhancer {
  return (createStore) => (reducer, preloaded) => {
    const store = createStore(reducer, preloaded);
    // The types of an enhancer leave the action open; main's are the reducer's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    followMain(sync, (action) => void store.dispatch(action as never));
    return store;
  };
}

function followMain(sync: ParleySyncBridge, dispatch: (action: Action) => void): void {
  const parts = createPartReader(sync, (part) => dispatch(partArrived(part)));
  let current = -1;
  /** The number of the action that began the conversation. */
  let start = -1;
  let isFetching = false;
  let kept: unknown[] = [];

  const fetchState = async () => {
    isFetching = true;
    try {
      const fetched = parseState(await sync.fetchState());
      ({ start } = fetched);
      current = fetched.state.sequence;
      dispatch(stateFetched(fetched));
      parts.begin(start, fetched.newest.from);
    } catch (error) {
      console.warn('The state could not be fetched; the next action tries again.', error);
      kept = [];
    }
    isFetching = false;
    const missed = kept;
    kept = [];
    missed.forEach(hear);
  };

  const hear = (action: unknown) => {
    if (isFetching) kept.push(action);
    else if (!isAction(action)) return;
    else if (heartbeat.match(action)) {
      if (action.payload !== current) void fetchState();
      else parts.resume();
    } else takeNumbered(action);
  };

  const takeNumbered = (action: Action) => {
    const sequence = sequenceOf(action);
    if (sequence === undefined || sequence <= current) return;
    if (sequence > current + 1) {
      kept.push(action);
      void fetchState();
      return;
    }
    current = sequence;
    apply(action, sequence);
  };

  const apply = (action: Action, sequence: number) => {
    const before = start;
    start = conversationStartReducer(start, action);
    if (snapshotApplied.match(action)) {
      const { person, newest: text } = action.payload;
      const newest = parsePart(text);
      dispatch(snapshotArrived({ person, newest }, sequence));
      parts.begin(start, newest.from);
      return;
    }
    dispatch(action);
    if (start !== before) parts.begin(start, 0);
  };

  sync.onAction(hear);
  void fetchState();
}
