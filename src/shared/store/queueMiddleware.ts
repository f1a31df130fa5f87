import type { Dispatch, Middleware, MiddlewareAPI } from '@reduxjs/toolkit';
import { hasTarget } from '../conversation/applyUpdate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Cancel, Clock } from '../time/clock.ts';
import { fifo } from './fifo.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { tickBefore, tickFor } from './ticks.ts';
import { type ReceivedUpdate, updateApplied, updateIgnored, updateReceived } from './updates.ts';

/**
 * Creates the queue (spec §4.4 item 4). It stores every received update and releases one each tick: as applied, or as ignored
 * when the update has no target.
 *
 *     stopped ── session launched ──▶ idle ── update received ──▶ waiting for the tick of the oldest update
 *       ▲                              ▲                              │ released
 *       └──── session ended ───────────┴────────── none left ─────────┘
 *
 * Ticks are multiples of 100 ms from the session's launch, so a timer is needed only while updates wait. A timer that fires
 * late releases one update, and the next update waits for the following tick: there are no bursts (contract §5). An update that
 * is received while the queue is stopped belongs to no session and is never released.
 */
export function queueMiddleware(clock: Clock): Middleware<object, State> {
  return (store) => {
    const queue = createTickQueue(clock, (received) => release(store, received));
    return (next) => (action) => {
      const result = next(action);
      if (sessionLaunched.match(action)) queue.start(action.payload.launchedAt);
      else if (sessionEnded.match(action)) queue.stop();
      else if (updateReceived.match(action)) queue.push(action.payload);
      return result;
    };
  };
}

interface State {
  readonly conversation: Conversation;
}

/** Dispatches an update as applied or as ignored. */
function release({ dispatch, getState }: MiddlewareAPI<Dispatch, State>, received: ReceivedUpdate): void {
  const { update, bytes } = received;
  const before = getState();
  try {
    const released = hasTarget(before.conversation, update) ? updateApplied : updateIgnored;
    dispatch(released({ update, bytes }));
  } catch (error) {
    // An update that the fold cannot apply has no effect. It leaves the queue and is counted.
    if (getState() === before) dispatch(updateIgnored({ update, bytes }));
    throw error;
  }
}

/** Creates a queue that stores updates between `start` and `stop`, and releases one each tick. */
function createTickQueue(clock: Clock, releaseUpdate: (received: ReceivedUpdate) => void) {
  const waiting = fifo<ReceivedUpdate>();
  let isStopped = true;
  let launchedAt = 0;
  let lastTick = 0;
  let cancelTick: Cancel | undefined;

  const stop = () => {
    isStopped = true;
    cancelTick?.();
    cancelTick = undefined;
    waiting.clear();
  };
  const scheduleTick = () => {
    const oldest = waiting.peek();
    if (oldest === undefined || cancelTick !== undefined) return;
    const due = tickFor(oldest.at, lastTick);
    cancelTick = clock.after(launchedAt + due - clock.now(), () => tick(due));
  };
  const tick = (due: number) => {
    cancelTick = undefined;
    lastTick = Math.max(due, tickBefore(clock.now() - launchedAt));
    const released = waiting.shift();
    try {
      if (released !== undefined) releaseUpdate(released);
    } finally {
      // Also after an error: the next update has its tick.
      scheduleTick();
    }
  };
  return {
    stop,
    /** @param at when the session was launched, in milliseconds of the clock. */
    start(at: number) {
      stop();
      isStopped = false;
      launchedAt = at;
      lastTick = 0;
    },
    push(received: ReceivedUpdate) {
      if (isStopped) return;
      waiting.push(received);
      scheduleTick();
    },
  };
}
