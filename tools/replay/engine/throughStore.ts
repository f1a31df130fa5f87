import { type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import type { FrameRecord } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { messageSent } from '#shared/store/outgoing.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/middleware.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { type NotificationText, notificationText } from '#shared/store/selectors.ts';
import { sessionLaunched } from '#shared/store/session.ts';
import { frameRejected, updateApplied, updateReceived } from '#shared/store/updates.ts';
import type { Clock } from '#shared/time/clock.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { actionOf, endsSession, frameText, isFrame } from './actions.ts';
import type { Engine, Limits } from './replay.ts';

/** The app's way: its own store and its own queue, on a virtual clock that the records move. */
export function createStoreEngine({ until = Infinity, at = Infinity }: Limits = {}): Engine {
  const clock = virtualClock();
  const notifications: NotificationText[] = [];
  const store = createSessionStore(clock, notifications);
  let virtualMs = 0;
  let isOver = until === 0;
  store.dispatch(sessionLaunched({ launchedAt: clock.now() }));

  /** Lets time go on to `time`, one tick after the other. */
  const passTo = (time: number) => {
    for (let due = clock.nextDue(); due !== undefined && due <= time && !isOver; due = clock.nextDue()) {
      clock.advance(due - clock.now());
      virtualMs = due;
      const { applied, ignored } = store.getState().counts;
      isOver = applied + ignored >= until;
    }
    if (!isOver && time < Infinity) clock.advance(Math.max(0, time - clock.now()));
  };
  const receive = (record: FrameRecord) => {
    const bytes = record.data.length;
    const update = decodeUpdate(frameText(record));
    if (update.kind === 'rejected') store.dispatch(frameRejected({ reason: update.reason, bytes }));
    else store.dispatch(updateReceived({ update, at: record.t, bytes }));
  };

  return {
    take(record) {
      if (isOver) return false;
      passTo(Math.min(record.t, at));
      if (record.t > at || endsSession(record)) isOver = true;
      if (isOver) return false;
      const action = actionOf(record);
      if (isFrame(record, 'recv')) receive(record);
      else if (isFrame(record, 'send')) store.dispatch({ type: messageSent.type });
      else if (action !== undefined) store.dispatch(action);
      return true;
    },
    finish() {
      passTo(at);
      const { conversation, connection, counts } = store.getState();
      return { conversation, connection, counts, notifications, virtualMs };
    },
  };
}

/** A store as main has it, less what only main has; it writes down what each notification says. */
function createSessionStore(clock: Clock, notifications: NotificationText[]) {
  const reducer = combineReducers(sessionReducers);
  const hear: Middleware<object, ReturnType<typeof reducer>> =
    ({ getState }) =>
    (next) =>
    (action) => {
      const result = next(action);
      if (updateApplied.match(action) && action.payload.update.kind === 'notification') {
        notifications.push(notificationText(getState().conversation));
      }
      return result;
    };
  return configureStore({
    reducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(hear, ...sessionMiddleware(clock)),
    devTools: false,
  });
}
