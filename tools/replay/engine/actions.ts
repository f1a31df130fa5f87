import type { UnknownAction } from '@reduxjs/toolkit';
import { type ActionRecord, type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import type { CountsState } from '#shared/store/counts.ts';
import type { QueueState } from '#shared/store/queue.ts';
import { connectionClosed, connectionOpened } from '#shared/store/connection.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import { recordedAction } from '#shared/capture/recordedAction.ts';

/** Returns whether a record ends the session. Updates that still waited then were never shown. */
export const endsSession = (record: CaptureRecord): boolean =>
  isAction(record) && record.action.type === sessionEnded.type;

const isAction = (record: CaptureRecord): record is ActionRecord => record.type === 'action';

/** Returns the frame's text for the decoder; `null` when the frame is not text. */
export const frameText = ({ data, encoding }: FrameRecord): string | null =>
  encoding === 'base64' ? null : data;

const encoder = new TextEncoder();
/** Is overwritten each time: only the count is needed. */
const scratch = new Uint8Array(16 * 1024);
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const FITS = Math.floor(scratch.length / 3);

/** Counts the bytes of a text in UTF-8 with an API that Node and browsers have. */
const encodedLength = (text: string): number =>
  text.length <= FITS ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length;

/** Counts the bytes of a text in UTF-8. Node's own function takes half the time. */
const byteLength = typeof Buffer === 'undefined' ? encodedLength : Buffer.byteLength;

/** Returns the size of a text frame on the wire, bytes. */
export const frameBytes = ({ data }: FrameRecord): number => byteLength(data);

/**
 * Returns whether a record launches the session. A launch after a frame of the session that runs belongs to no session that the app records: it
 * is ignored.
 */
export const launchesSession = (record: CaptureRecord, { counts, queue }: LaunchState): boolean =>
  record.type === 'launch' &&
  (queue.launchedAt === null || counts.received + counts.sent + counts.dropped === 0);

interface LaunchState {
  readonly counts: CountsState;
  readonly queue: Pick<QueueState, 'launchedAt'>;
}

/** Returns the action of a record that is not a frame, or `undefined` when the record changes nothing. */
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
    case 'recv':
    case 'send':
    case 'release':
      return undefined;
    default:
      return record satisfies never;
  }
}

/** Returns whether a record is a frame of this direction. */
export const isFrame = (record: CaptureRecord, direction: FrameRecord['type']): record is FrameRecord =>
  record.type === direction;
