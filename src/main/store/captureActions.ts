import { type Middleware, isAction } from '@reduxjs/toolkit';
import {
  audioStarted,
  audioStopped,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
  recordingCancelled,
  recordingStarted,
  recordingStopped,
} from '#shared/store/audio.ts';
import { connectionConfirmed, connectionRequested } from '#shared/store/connection.ts';
import { messageDropped, messageSent } from '#shared/store/outgoing.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type CaptureSink, sinceLaunch } from './captureSink.ts';

/**
 * The actions that are recorded: acts of the person and state transitions that do not follow from the frames. This is an
 * allow-list: a new action is not recorded until its contents were reviewed.
 */
const RECORDED: ReadonlySet<string> = new Set(
  [
    connectionConfirmed,
    connectionRequested,
    messageSent,
    messageDropped,
    audioStarted,
    audioStopped,
    recordingStarted,
    recordingStopped,
    recordingCancelled,
    playbackStarted,
    playbackEnded,
    playbackCancelled,
    sessionEnded,
  ].map(({ type }) => type),
);

/** Records the starts and ends of sessions and the actions between them, without the `meta` for forwarding. */
export const captureActions =
  (sink: CaptureSink, clock: Clock): Middleware =>
  () => {
    let launchedAt = 0;
    return (next) => (action) => {
      const result = next(action);
      if (sessionLaunched.match(action)) {
        ({ launchedAt } = action.payload);
        sink.launched();
      } else if (isAction(action) && RECORDED.has(action.type)) {
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
