import type { CaptureRecord, FrameRecord } from '#shared/capture/captureFormat.ts';

/** Returns whether a record is a frame of this direction. */
export const isFrame = (record: CaptureRecord, direction: FrameRecord['type']): record is FrameRecord =>
  record.type === direction;

const encoder = new TextEncoder();
const NOT_ASCII = /[\u0080-\uFFFF]/;

/** Counts the bytes of a text in UTF-8. Browsers do not have Node's own function; to encode each frame would take a quarter of the time of a load. */
const byteLength =
  typeof Buffer === 'undefined'
    ? (text: string) => (NOT_ASCII.test(text) ? encoder.encode(text).length : text.length)
    : Buffer.byteLength;

/** Returns the size of a text frame on the wire, bytes. */
export const frameBytes = ({ data }: FrameRecord): number => byteLength(data);

/** Returns the data of a frame as a socket delivers it. */
export const frameData = ({ data, encoding }: FrameRecord): string | Uint8Array =>
  encoding === 'base64' ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : data;
