import type { Reducer } from '@reduxjs/toolkit';
import { type Fifo, dequeue, emptyFifo, enqueue } from '../fifo.ts';
import { perSession } from './session.ts';
import {
  type ReceivedUpdate,
  type ReleasedUpdate,
  sessionLaunched,
  updateApplied,
  updateIgnored,
  updateReceived,
} from '../actions/sessionActions.ts';
import { isOfType } from '../isOfType.ts';

/**
 * The queue (spec §4.4 item 4): the updates that wait for their tick. It is a part of main's state that no window receives.
 *
 *     stopped ── session launched ──▶ idle ── update received ──▶ updates wait
 *       ▲                              ▲                              │ released
 *       └──── session ended ───────────┴────────── none left ─────────┘
 */
export interface QueueState extends QueueSize {
  /** When the session was launched, in milliseconds of the store's clock; `null` while the queue is stopped. */
  readonly launchedAt: number | null;
  /** The last used tick, in milliseconds since the launch; 0 when none was used. */
  readonly lastTick: number;
  /** The waiting updates, in the order of their arrival. */
  readonly waiting: Fifo<ReceivedUpdate>;
}

/** The number of the waiting updates and the total size of their frames. */
export interface QueueSize {
  readonly length: number;
  readonly bytes: number;
}

const STOPPED: QueueState = { length: 0, bytes: 0, launchedAt: null, lastTick: 0, waiting: emptyFifo() };

/**
 * Reduces the queue. An update that is received while the queue is stopped belongs to no session: it never waits. Does not use Immer, which
 * would copy and freeze the updates.
 */
export const queueReducer: Reducer<QueueState> = perSession((queue = STOPPED, action) => {
  if (isOfType(action, updateReceived))
    return queue.launchedAt === null ? queue : withUpdate(queue, action.payload);
  if (isOfType(action, updateApplied) || isOfType(action, updateIgnored))
    return withoutOldest(queue, action.payload);
  return isOfType(action, sessionLaunched) ? { ...queue, launchedAt: action.payload.launchedAt } : queue;
});

// Literals: a spread takes ten times as long.
const withUpdate = (queue: QueueState, received: ReceivedUpdate): QueueState => ({
  length: queue.length + 1,
  bytes: queue.bytes + received.bytes,
  launchedAt: queue.launchedAt,
  lastTick: queue.lastTick,
  waiting: enqueue(queue.waiting, received),
});

const withoutOldest = (queue: QueueState, released: ReleasedUpdate): QueueState => ({
  length: queue.length - 1,
  bytes: queue.bytes - released.bytes,
  launchedAt: queue.launchedAt,
  lastTick: released.tick,
  waiting: dequeue(queue.waiting),
});
