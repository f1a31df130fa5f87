import type { Reducer } from '@reduxjs/toolkit';
import { messageDropped, messageSent } from '../actions/mainActions.ts';
import {
  type ReceivedUpdate,
  type ReleasedUpdate,
  sessionLaunched,
  updateApplied,
  updateIgnored,
  updateReceived,
  frameRejected,
} from '../actions/sessionActions.ts';
import { roundTime } from '../clock.ts';
import { hasTarget } from '../conversation/applyUpdate.ts';
import { type Conversation, countKnownMessages } from '../conversation/conversation.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest } from '../fifo.ts';
import { isOfType } from '../isOfType.ts';
import { QUEUE_TICK_MS } from '../limits.ts';
import type { RejectReason } from '../protocol/update.ts';
import { inSession } from './inSession.ts';

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
export const queueReducer: Reducer<QueueState> = (state, action) => {
  const queue = inSession(state, action) ?? STOPPED;
  if (isOfType(action, updateReceived))
    return queue.launchedAt === null ? queue : withUpdate(queue, action.payload);
  if (isOfType(action, updateApplied) || isOfType(action, updateIgnored))
    return withoutOldest(queue, action.payload);
  return isOfType(action, sessionLaunched) ? { ...queue, launchedAt: action.payload.launchedAt } : queue;
};

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

/**
 * Returns the tick that releases a frame which was received at `at`, when the previous frame was released at `previous`. Ticks are
 * multiples of 100 ms since the launch and release one update each; a frame that arrives at a tick waits for the next one (contract §5).
 * All times are in milliseconds since the launch.
 */
export const tickFor = (at: number, previous: number): number =>
  Math.max((Math.floor(at / QUEUE_TICK_MS) + 1) * QUEUE_TICK_MS, previous + QUEUE_TICK_MS);

/** Returns the latest tick at or before `at`, in milliseconds since the launch. */
export const tickBefore = (at: number): number => Math.floor(at / QUEUE_TICK_MS) * QUEUE_TICK_MS;

/**
 * Returns the time since a session's launch, of a time of the clock; rounded to microseconds, because more digits would only make captures
 * longer. Records and the queue use the same value.
 */
export const sinceLaunch = (now: number, launchedAt: number): number => roundTime(now - launchedAt);

/**
 * A release at a later tick than the one that follows from the time of receipt and the tick before it, because the program was busy. All times are
 * in milliseconds since the launch.
 */
export interface LateRelease {
  /** When the update was released. */
  readonly t: number;
  /** The update's number in the session, from 1. */
  readonly update: number;
  /** The tick that should have released it. No tick ran from there until `t`. */
  readonly due: number;
  /** The tick that released it. */
  readonly tick: number;
}

/** Counts since the session's launch; 0 when no session runs. Every received frame is rejected, or applied or ignored at its tick. */
export interface CountsState {
  readonly received: number;
  readonly sent: number;
  readonly dropped: number;
  readonly applied: number;
  readonly ignored: number;
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
}

const noCounts: CountsState = { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected: {} };

/**
 * Reduces the counts. Does not use Immer, which takes longer to count an update than all other slices take together, and no spread, which takes ten
 * times as long as a literal.
 */
export const countsReducer: Reducer<CountsState> = (state, action) => {
  const counts = inSession(state, action) ?? noCounts;
  if (isOfType(action, updateReceived)) return countsWith(counts, 'received');
  if (isOfType(action, updateApplied)) return countsWith(counts, 'applied');
  if (isOfType(action, updateIgnored)) return countsWith(counts, 'ignored');
  if (isOfType(action, frameRejected)) return withRejected(counts, action.payload.reason);
  if (isOfType(action, messageSent)) return countsWith(counts, 'sent');
  if (isOfType(action, messageDropped)) return countsWith(counts, 'dropped');
  return counts;
};

const countsWith = (counts: CountsState, one: Exclude<keyof CountsState, 'rejected'>): CountsState => ({
  received: counts.received + (one === 'received' ? 1 : 0),
  sent: counts.sent + (one === 'sent' ? 1 : 0),
  dropped: counts.dropped + (one === 'dropped' ? 1 : 0),
  applied: counts.applied + (one === 'applied' ? 1 : 0),
  ignored: counts.ignored + (one === 'ignored' ? 1 : 0),
  rejected: counts.rejected,
});

const withRejected = (counts: CountsState, reason: RejectReason): CountsState => ({
  ...counts,
  received: counts.received + 1,
  rejected: { ...counts.rejected, [reason]: (counts.rejected[reason] ?? 0) + 1 },
});

/** The slices on which a release depends. */
export interface QueuedState {
  readonly conversation: Conversation;
  readonly queue: QueueState;
  readonly counts: CountsState;
}

/** The oldest waiting update. */
interface NextRelease {
  readonly received: ReceivedUpdate;
  /** Its number in the session, from 1. */
  readonly update: number;
  /** Its tick, in milliseconds since the launch. */
  readonly due: number;
  readonly launchedAt: number;
}

/** What decides when an update is released, and as what. A comparison of revisions passes that of another revision. */
export const RELEASE_RULES = { tickFor, tickBefore, hasTarget, countKnownMessages };

/** See {@link RELEASE_RULES}. */
export type ReleaseRules = typeof RELEASE_RULES;

/** Returns the next release; `undefined` when no update waits. */
export function nextRelease({ queue, counts }: QueuedState, rules = RELEASE_RULES): NextRelease | undefined {
  const received = oldest(queue.waiting);
  if (received === undefined) return undefined;
  return {
    received,
    update: counts.applied + counts.ignored + 1,
    due: rules.tickFor(received.at, queue.lastTick),
    // Nothing waits before the launch.
    launchedAt: queue.launchedAt ?? 0,
  };
}

/** Returns the tick of a release at `t`, milliseconds since the launch; `undefined` before its tick. A late release has the latest tick that has passed. */
export const tickOfRelease = ({ due }: Pick<NextRelease, 'due'>, t: number, rules = RELEASE_RULES) =>
  t < due ? undefined : rules.tickBefore(t);

/** A waiting update and the tick that releases it. */
export interface Released {
  readonly received: ReceivedUpdate;
  readonly tick: number;
}

/** Returns the action that releases an update at a tick: as applied, or as ignored when it has no target (spec §4.4 item 4). */
export function releaseAction(
  { conversation }: Pick<QueuedState, 'conversation'>,
  { received: { update, bytes }, tick }: Released,
  rules = RELEASE_RULES,
) {
  const released: ReleasedUpdate =
    update.kind === 'snapshot'
      ? { update, bytes, tick, known: rules.countKnownMessages(conversation, update.frame) }
      : { update, bytes, tick };
  return rules.hasTarget(conversation, update) ? updateApplied(released) : updateIgnored(released);
}

/** Returns the action of an update that cannot be applied, because its reducer threw: it has no effect, leaves the queue and is counted. */
export const failedRelease = ({ received: { update, bytes }, tick }: Released) =>
  updateIgnored({ update, bytes, tick });
