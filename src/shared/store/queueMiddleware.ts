import type { Dispatch, Middleware, MiddlewareAPI } from '@reduxjs/toolkit';
import { hasTarget } from '../conversation/applyUpdate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { countKnownMessages } from '../conversation/countKnownMessages.ts';
import type { Cancel, Clock } from '../time/clock.ts';
import { oldest } from '../fifo.ts';
import type { QueueState } from './queue.ts';
import { resetsSession } from './session.ts';
import { tickBefore, tickFor } from './ticks.ts';
import { type ReleasedUpdate, updateApplied, updateIgnored } from './updates.ts';

/**
 * Releases one update of the queue each tick: as applied, or as ignored when the update has no target (spec §4.4 item 4). The updates and the
 * last tick are in the state; the middleware keeps only its timer. So a store that starts with waiting updates releases them too.
 *
 * Ticks are multiples of 100 ms from the session's launch, so a timer is needed only while updates wait. A timer that fires
 * late releases one update, and the next update waits for the following tick: there are no bursts (contract §5).
 */
export function queueMiddleware(clock: Clock): Middleware<object, State> {
  return (store) => {
    const timer = createTimer(clock, store);
    timer.schedule();
    return (next) => (action) => {
      const result = next(action);
      if (resetsSession(action)) timer.cancel();
      // Only a received update begins to wait; otherwise this does nothing.
      timer.schedule();
      return result;
    };
  };
}

interface State {
  readonly conversation: Conversation;
  readonly queue: QueueState;
}

type Store = MiddlewareAPI<Dispatch, State>;

/** Creates the timer of the next tick. It runs only while updates wait. */
function createTimer(clock: Clock, store: Store) {
  let cancelTick: Cancel | undefined;

  const schedule = () => {
    const { queue } = store.getState();
    const next = oldest(queue.waiting);
    if (next === undefined || cancelTick !== undefined) return;
    const due = tickFor(next.at, queue.lastTick);
    // Nothing waits before the launch.
    const launchedAt = queue.launchedAt ?? 0;
    cancelTick = clock.after(launchedAt + due - clock.now(), () => {
      cancelTick = undefined;
      try {
        release(store, { ...next, tick: Math.max(due, tickBefore(clock.now() - launchedAt)) });
      } finally {
        // Also after an error: the next update has its tick.
        schedule();
      }
    });
  };
  return {
    schedule,
    cancel() {
      cancelTick?.();
      cancelTick = undefined;
    },
  };
}

/** Dispatches the oldest update as applied or as ignored. */
function release({ dispatch, getState }: Store, { update, bytes, tick }: ReleasedUpdate): void {
  const before = getState();
  try {
    const released = hasTarget(before.conversation, update) ? updateApplied : updateIgnored;
    dispatch(released(withKnown(before, { update, bytes, tick })));
  } finally {
    // An update that the fold cannot apply has no effect. It leaves the queue and is counted.
    if (getState() === before) dispatch(updateIgnored({ update, bytes, tick }));
  }
}

/** Adds to a snapshot how many of its messages are known. */
const withKnown = ({ conversation }: State, released: ReleasedUpdate): ReleasedUpdate =>
  released.update.kind === 'snapshot'
    ? { ...released, known: countKnownMessages(conversation, released.update.frame) }
    : released;
