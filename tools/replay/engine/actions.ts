import type { UnknownAction } from '@reduxjs/toolkit';
import { type ActionRecord, type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import {
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  connectionRequested,
} from '#shared/store/connection.ts';
import { messageDropped } from '#shared/store/outgoing.ts';
import { sessionEnded } from '#shared/store/session.ts';

/** The recorded actions that change what a replay shows; all others follow from the frames. */
const REPLAYED: ReadonlySet<string> = new Set(
  [connectionConfirmed, connectionRequested, messageDropped].map(({ type }) => type),
);

/** Whether a record says that the session was over: what still waited then was never seen. */
export const endsSession = (record: CaptureRecord): boolean =>
  isKnown(record) && record.type === 'action' && record.action.type === sessionEnded.type;

/** The frame's text as the decoder takes it; `null` for one that is not text. */
export const frameText = ({ data, encoding }: FrameRecord): string | null =>
  encoding === 'base64' ? null : data;

const encoder = new TextEncoder();
/** Written over and over: it is the count that is wanted. */
const scratch = new Uint8Array(16 * 1024);
/** In UTF-8 a unit of UTF-16 takes three bytes at most. */
const FITS = Math.floor(scratch.length / 3);

/** What a frame of text weighs on the wire. The engine runs in browsers too, so it counts as both know how. */
export const frameBytes = ({ data }: FrameRecord): number =>
  data.length <= FITS ? encoder.encodeInto(data, scratch).written : encoder.encode(data).length;

/** The action of a record that is no frame, or `undefined` when it changes nothing. */
export function actionOf(record: CaptureRecord): UnknownAction | undefined {
  if (!isKnown(record)) return undefined;
  switch (record.type) {
    case 'open':
      return connectionOpened();
    case 'close':
      return connectionClosed({ code: record.code, reason: record.reason });
    case 'action':
      return replayed(record);
    case 'recv':
    case 'send':
      return undefined;
    default:
      return record satisfies never;
  }
}

const replayed = ({ action }: ActionRecord): UnknownAction | undefined =>
  REPLAYED.has(action.type) ? { ...action } : undefined;

/** Whether a record is a frame of that direction. */
export const isFrame = (record: CaptureRecord, direction: FrameRecord['type']): record is FrameRecord =>
  record.type === direction;
