import type { Middleware } from '@reduxjs/toolkit';
import { takesEffect } from '../conversation/applyUpdate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Cancel, Clock } from '../time/clock.ts';
import { fifo } from './fifo.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { tickBefore, tickFor } from './ticks.ts';
import { type ReceivedUpdate, updateApplied, updateIgnored, updateReceived } from './updates.ts';

/**
 * The queue (spec §4.4 item 4): holds every update received and releases one a tick, as applied or, where it finds
 * nothing to be about, as ignored.
 *
 *     still ── session launched ──▶ idle ── update received ──▶ waiting for the oldest one's tick
 *       ▲                            ▲                              │ released
 *       └──── session ended ─────────┴────────── none left ─────────┘
 *
 * Ticks are a grid from the session's launch, so a timer is needed only while something waits. A timer that fires
 * late releases one update, and the next waits for the tick after: there are no bursts (contract §5). What is received
 * while the queue stands still belongs to no session and is never released.
 */
export function queueMiddleware(clock: Clock): Middleware<object, { readonly conversation: Conversation }> {
  return ({ dispatch, getState }) => {
    const waiting = fifo<ReceivedUpdate>();
    let isStill = true;
    let launchedAt = 0;
    let lastTick = 0;
    let cancelTick: Cancel | undefined;

    const stop = () => {
      isStill = true;
      cancelTick?.();
      cancelTick = undefined;
      waiting.clear();
    };
    const start = (at: number) => {
      stop();
      isStill = false;
      launchedAt = at;
      lastTick = 0;
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
        if (released !== undefined) release(released);
      } finally {
        // Also after an error: the next update has its tick.
        scheduleTick();
      }
    };
    const release = ({ update, bytes }: ReceivedUpdate) => {
      const before = getState();
      try {
        const happened = takesEffect(before.conversation, update) ? updateApplied : updateIgnored;
        dispatch(happened({ update, bytes }));
      } catch (error) {
        // An update that the fold cannot take has no effect; it leaves the queue and is counted all the same.
        if (getState() === before) dispatch(updateIgnored({ update, bytes }));
        throw error;
      }
    };

    return (next) => (action) => {
      const result = next(action);
      if (sessionLaunched.match(action)) start(action.payload.launchedAt);
      else if (sessionEnded.match(action)) stop();
      else if (updateReceived.match(action) && !isStill) {
        waiting.push(action.payload);
        scheduleTick();
      }
      return result;
    };
  };
}
