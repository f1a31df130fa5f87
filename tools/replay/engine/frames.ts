import type { CaptureRecord, FrameRecord } from '#shared/capture/captureFormat.ts';

/** Returns whether a record is a frame of this direction. */
export const isFrame = (record: CaptureRecord, direction: FrameRecord['type']): record is FrameRecord =>
  record.type === direction;

/** Counts the bytes of a text in UTF-8; browsers do not have Node's own function. */
const byteLength =
  typeof Buffer === 'undefined' ? (text: string) => new TextEncoder().encode(text).length : Buffer.byteLength;

/** Returns the size of a text frame on the wire, bytes. */
export const frameBytes = ({ data }: FrameRecord): number => byteLength(data);

/** Returns the data of a frame as a socket delivers it. */
export const frameData = ({ data, encoding }: FrameRecord): string | Uint8Array =>
  encoding === 'base64' ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : data;
