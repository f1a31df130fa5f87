import type { UnknownAction } from '@reduxjs/toolkit';
import { type ActionRecord, type CaptureRecord, type FrameRecord, isKnown } from '../capture/format.ts';
import { recordedAction } from '../capture/recordedAction.ts';
import {
  connectionClosed,
  connectionOpened,
  sessionEnded,
  sessionLaunched,
} from '../actions/sessionActions.ts';
import { messageSent } from '../actions/mainActions.ts';
import type { ReplayState } from './reducer.ts';

/** Returns whether a record ends the session. Updates that still waited then were never shown. */
export const endsSession = (record: CaptureRecord): boolean =>
  isAction(record) && record.action.type === sessionEnded.type;

const isAction = (record: CaptureRecord): record is ActionRecord => record.type === 'action';

/** Returns the frame's text for the decoder; `null` when the frame is not text. */
export const frameText = ({ data, encoding }: FrameRecord): string | null =>
  encoding === 'base64' ? null : data;

/**
 * Returns whether a launch belongs to the session. One after a frame of the session that runs belongs to no session that the app records: it is
 * ignored.
 */
export const launchesSession = ({ counts, queue }: Pick<ReplayState, 'counts' | 'queue'>): boolean =>
  queue.launchedAt === null || counts.received + counts.sent + counts.dropped === 0;

/** Returns the action of a record that is not a received frame, or `undefined` when the record changes nothing. */
export function actionOf(record: CaptureRecord): UnknownAction | undefined {
  if (!isKnown(record)) return undefined;
  switch (record.type) {
    case 'launch':
      return sessionLaunched({ launchedAt: record.t });
    case 'open':
      return connectionOpened();
    case 'close':
      return connectionClosed({ code: record.code, reason: record.reason, retryAt: record.retryAt });
    case 'action':
      return recordedAction(record);
    case 'send':
      return { type: messageSent.type };
    case 'recv':
    case 'release':
      return undefined;
    default:
      return record satisfies never;
  }
}
