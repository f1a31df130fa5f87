import { type Action, type Reducer, type StoreEnhancer, createAction, isAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import type { ParleySyncBridge } from '#shared/ipc/sync.ts';
import { heartbeat, sequenceOf } from '#shared/store/sequence.ts';

/** Main's state, as it was fetched, takes the place of the window's. */
const stateFetched = createAction<unknown>('sync/stateFetched');

const numberedState = z.looseObject({ sequence: z.number() });

/**
 * The window's side of the store synchronisation, as a store enhancer: main orders, the window follows its numbers.
 *
 *     fetching ──── state of number n ────▶ following
 *        ▲   what comes meanwhile is           │ n + 1: applied
 *        │   kept and looked at afterwards     │ n or less: dropped
 *        └── a gap, or a heartbeat with ◀──────┘
 *            a number that is not n
 *
 * A fetch that is refused is made again with the next action or heartbeat.
 */
export function follow(sync: ParleySyncBridge): StoreEnhancer {
  return (createStore) => (reducer, preloaded) => {
    const store = createStore(replaceable(reducer), preloaded);
    // The types of an enhancer leave the action open; main's are the reducer's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    followMain(sync, (action) => void store.dispatch(action as never));
    return store;
  };
}

const replaceable =
  <S, A extends Action, P>(reducer: Reducer<S, A, P>): Reducer<S, A, P> =>
  (state, action) =>
    // Main's reducers made it: it is this reducer's state.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    stateFetched.match(action) ? (action.payload as S) : reducer(state, action);

function followMain(sync: ParleySyncBridge, dispatch: (action: Action) => void): void {
  let current = -1;
  let isFetching = false;
  let kept: unknown[] = [];

  const fetchState = async () => {
    isFetching = true;
    try {
      const state: unknown = JSON.parse(await sync.fetchState());
      current = numberedState.parse(state).sequence;
      dispatch(stateFetched(state));
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
    dispatch(action);
  };

  sync.onAction(hear);
  void fetchState();
}
