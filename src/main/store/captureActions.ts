import { type Middleware, isAction } from '@reduxjs/toolkit';
import { isRecorded } from '#shared/actions/actionList.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import type { CaptureSink } from './captureSink.ts';
import { isOfType } from '#shared/isOfType.ts';

/**
 * Records the starts and ends of sessions, and the actions that the list of actions names (`src/shared/actions`), each before it is reduced:
 * what follows from it is recorded after it.
 * @param catchUp releases the update that is due, and returns the time (`queueMiddleware`).
 */
export const captureActions =
  (sink: CaptureSink, catchUp: () => number): Middleware =>
  () =>
  (next) =>
  (action) => {
    if (isAction(action) && isRecorded(action.type)) sink.act(action, catchUp());
    const result = next(action);
    if (isOfType(action, sessionLaunched)) sink.launched(action.payload.launchedAt);
    if (isOfType(action, sessionEnded)) sink.ended();
    return result;
  };
