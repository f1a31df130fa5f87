import { type Middleware, isAction } from '@reduxjs/toolkit';
import { isRecorded } from '#shared/actions/actionList.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import type { CaptureSink } from './captureSink.ts';
import { isOfType } from '#shared/isOfType.ts';

/** Records the starts and ends of sessions, and the actions that the list of actions names (`src/shared/actions`). */
export const captureActions =
  (sink: CaptureSink): Middleware =>
  () =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isOfType(action, sessionLaunched)) sink.launched(action.payload.launchedAt);
    else if (isAction(action) && isRecorded(action.type)) sink.act(action);
    if (isOfType(action, sessionEnded)) sink.ended();
    return result;
  };
