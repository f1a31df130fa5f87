import type { Action, StoreEnhancer } from '@reduxjs/toolkit';
import { z } from 'zod';
import { heartbeat, snapshotApplied } from '#shared/actions/sessionActions.ts';
import type { ConversationPart } from '#shared/conversation/conversation.ts';
import type { ParleySyncBridge } from '#shared/ipc/channels.ts';
import { isOfType } from '#shared/isOfType.ts';
import type { Message } from '#shared/protocol/update.ts';
import { conversationStartReducer } from '#shared/store/conversationSlices.ts';
import { sequenceNumber } from '#shared/store/sessionMiddleware.ts';
import { partArrived, snapshotArrived, stateFetched, type FetchedState } from './syncActions.ts';

/**
 * Creates the window's side of the store synchronization, with a store enhancer: main numbers the actions, the window applies
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
export function followMain(sync: ParleySyncBridge) {
  let follower: Follower | undefined;
  const enhancer: StoreEnhancer = (createStore) => (reducer, preloaded) => {
    const store = createStore(reducer, preloaded);
    // The types of an enhancer leave the action open; main's are the reducer's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const created = new Follower(sync, (action) => void store.dispatch(action as never));
    follower = created;
    sync.onAction((action) => created.receive(action));
    void created.fetchState();
    return store;
  };
  return {
    enhancer,
    /** Runs a task now; after a gap, when the window has applied what it missed. */
    whenCaughtUp: (task: () => void) => follower?.whenCaughtUp(task),
  };
}

interface NumberedAction extends Action {
  readonly meta: { readonly seq: number };
}

const isNumbered = (action: unknown): action is NumberedAction => sequenceNumber(action) !== undefined;

/** The number of no action. */
const NONE = -1;

class Follower {
  #sync;
  #dispatch;
  #parts;
  /** The number of the last applied action. */
  #current = NONE;
  /** The number of the action that began the conversation. */
  #start = NONE;
  #isFetching = false;
  /** The actions that were received during a fetch. */
  #kept: unknown[] = [];
  /** Whether the window has missed actions, and has not applied them yet. */
  #isBehind = false;
  /** The tasks that wait until the window has caught up. */
  #tasks: (() => void)[] = [];

  constructor(sync: ParleySyncBridge, dispatch: (action: Action) => void) {
    this.#sync = sync;
    this.#dispatch = dispatch;
    this.#parts = createPartReader(sync, (part) => dispatch(partArrived(part)));
  }

  whenCaughtUp(task: () => void): void {
    if (this.#isBehind) this.#tasks.push(task);
    else task();
  }

  async fetchState(): Promise<void> {
    this.#isFetching = true;
    this.#isBehind = this.#current !== NONE;
    let isFetched = false;
    try {
      const fetched = parseState(await this.#sync.fetchState());
      this.#start = fetched.start;
      this.#current = fetched.state.sequence;
      this.#dispatch(stateFetched(fetched));
      this.#parts.begin(fetched.start, fetched.newest.from);
      isFetched = true;
    } catch (error) {
      console.warn('The state could not be fetched; the next action retries it.', error);
      this.#kept = [];
    }
    this.#isFetching = false;
    const missed = this.#kept;
    this.#kept = [];
    for (const action of missed) this.receive(action);
    if (isFetched && !this.#isFetching) this.#catchUp();
  }

  #catchUp(): void {
    this.#isBehind = false;
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) task();
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

/** Fetches the missing parts of the conversation. */
interface PartReader {
  /**
   * Starts to fetch the conversation that began with the action number `start`: the messages before index `missing`. Abandons the missing
   * parts of the previous conversation.
   */
  begin(start: number, missing: number): void;
  /** Continues after a refused request. */
  resume(): void;
}

/**
 * Creates a part reader. It fetches the missing parts one after the other, the newest first, and requests the next one when the previous
 * one is applied, so a window receives no more than it can process:
 *
 *     complete ── begin ──▶ reading: one request at a time ── the first message has arrived ──▶ complete
 *                              ▲           │ refused, or main has another conversation
 *                              └─ resume ──┴▶ waiting
 */
function createPartReader(
  { fetchPart }: Pick<ParleySyncBridge, 'fetchPart'>,
  onPart: (part: ConversationPart) => void,
): PartReader {
  let wanted = { start: 0, missing: 0 };
  let isReading = false;

  /** Fetches one part; resolves to whether to continue. */
  const readOne = async (): Promise<boolean> => {
    const requested = wanted;
    const text = await fetchPart(requested.start, requested.missing);
    if (wanted !== requested) return true;
    // The action that replaced the conversation has not arrived yet; it calls `begin` again.
    if (text === null) return false;
    const part = parsePart(text);
    wanted = { start: requested.start, missing: part.from };
    onPart(part);
    return true;
  };
  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      while (wanted.missing > 0 && (await readOne()));
    } catch (error) {
      console.warn('A part of the conversation could not be fetched; the next heartbeat retries it.', error);
    }
    isReading = false;
  };

  return {
    begin(start, missing) {
      wanted = { start, missing };
      void read();
    },
    resume: () => void read(),
  };
}

// Main has validated every frame and created this JSON, so these schemas check only its outer structure.
const partSchema = z.object({
  length: z.number(),
  from: z.number(),
  messages: z.custom<readonly Message[]>(Array.isArray),
});
const stateSchema = z.object({
  state: z.custom<FetchedState>((state) => z.looseObject({ sequence: z.number() }).safeParse(state).success),
  start: z.number(),
  newest: partSchema,
});

/**
 * Parses a part of the conversation.
 * @throws {Error} when the text is not a part.
 */
const parsePart = (text: string): ConversationPart => partSchema.parse(JSON.parse(text));

/**
 * Parses main's state.
 * @throws {Error} when the text is not main's state.
 */
const parseState = (text: string): z.infer<typeof stateSchema> => stateSchema.parse(JSON.parse(text));
