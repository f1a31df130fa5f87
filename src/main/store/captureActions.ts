import { type Middleware, isAction } from '@reduxjs/toolkit';
import { isRecorded } from '#shared/actions/actionList.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type CaptureSink, sinceLaunch } from './captureSink.ts';

/**
 * Records the starts and ends of sessions and the actions between them that the list of actions names (`src/shared/actions`), without their
 * `meta`.
 */
export const captureActions =
  (sink: CaptureSink, clock: Clock): Middleware =>
  () => {
    let launchedAt = 0;
    return (next) => (action) => {
      const result = next(action);
      if (sessionLaunched.match(action)) {
        ({ launchedAt } = action.payload);
        sink.launched();
      } else if (isAction(action) && isRecorded(action.type)) {
        sink.record({ t: sinceLaunch(clock, launchedAt), type: 'action', action: withoutMeta(action) });
        if (sessionEnded.match(action)) sink.ended();
      }
      return result;
    };
  };

const withoutMeta = (action: { readonly type: string }) => ({
  type: action.type,
  ...('payload' in action && action.payload !== undefined && { payload: action.payload }),
});
