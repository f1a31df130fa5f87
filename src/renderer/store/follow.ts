import type { Action, StoreEnhancer } from '@reduxjs/toolkit';
import type { ParleySyncBridge } from '#shared/ipc/channels.ts';
import { conversationStartReducer } from '#shared/store/conversationSlices.ts';
import { isOfType } from '#shared/isOfType.ts';
import { sequenceNumber } from '#shared/store/sessionMiddleware.ts';
import { parsePart, parseState } from './parseFetched.ts';
import { createPartReader } from './createPartReader.ts';
import { heartbeat, snapshotApplied } from '#shared/actions/sessionActions.ts';
import { partArrived, snapshotArrived, stateFetched } from './syncActions.ts';

/**
 * Creates the window's side of the store synchronization, as a store enhancer: main numbers the actions, the window applies
 * them in that order.
 *
 *     fetching ──── state of number n ────▶ following
 *        ▲   actions received meanwhile        │ n + 1: applied
 *        │   are kept and then received        │ n or less: dropped
 *        └── a gap, or a heartbeat with ◀──────┘
 *            a number other than n
 *
 * A refused fetch is retried with the next action or heartbeat. State and snapshots arrive with their newest messages; the
 * part reader fetches the others meanwhile.
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
  const follower = new Follower(sync, dispatch);
  sync.onAction((action) => follower.receive(action));
  void follower.fetchState();
}

interface NumberedAction extends Action {
  readonly meta: { readonly seq: number };
}

const isNumbered = (action: unknown): action is NumberedAction => sequenceNumber(action) !== undefined;

class Follower {
  #sync;
  #dispatch;
  #parts;
  /** The number of the last applied action. */
  #current = -1;
  /** The number of the action that began the conversation. */
  #start = -1;
  #isFetching = false;
  /** The actions that were received during a fetch. */
  #kept: unknown[] = [];

  constructor(sync: ParleySyncBridge, dispatch: (action: Action) => void) {
    this.#sync = sync;
    this.#dispatch = dispatch;
    this.#parts = createPartReader(sync, (part) => dispatch(partArrived(part)));
  }

  async fetchState(): Promise<void> {
    this.#isFetching = true;
    try {
      const fetched = parseState(await this.#sync.fetchState());
      this.#start = fetched.start;
      this.#current = fetched.state.sequence;
      this.#dispatch(stateFetched(fetched));
      this.#parts.begin(fetched.start, fetched.newest.from);
    } catch (error) {
      console.warn('The state could not be fetched; the next action retries it.', error);
      this.#kept = [];
    }
    this.#isFetching = false;
    const missed = this.#kept;
    this.#kept = [];
    for (const action of missed) this.receive(action);
  }

  receive(action: unknown): void {
    if (this.#isFetching) this.#kept.push(action);
    else if (isOfType(action, heartbeat)) {
      if (action.payload !== this.#current) void this.fetchState();
      else this.#parts.resume();
    } else if (isNumbered(action)) this.#receiveNumbered(action);
  }

  #receiveNumbered(action: NumberedAction): void {
    const sequence = action.meta.seq;
    if (sequence <= this.#current) return;
    if (sequence > this.#current + 1) {
      this.#kept.push(action);
      void this.fetchState();
      return;
    }
    this.#current = sequence;
    this.#apply(action, sequence);
  }

  #apply(action: Action, sequence: number): void {
    const before = this.#start;
    this.#start = conversationStartReducer(before, action);
    if (isOfType(action, snapshotApplied)) {
      const { newest: text, ...rest } = action.payload;
      const newest = parsePart(text);
      this.#dispatch(snapshotArrived({ ...rest, newest }, sequence));
      this.#parts.begin(this.#start, newest.from);
      return;
    }
    this.#dispatch(action);
    if (this.#start !== before) this.#parts.begin(this.#start, 0);
  }
}
