import type { CaptureRecord, FrameRecord } from '#shared/capture/captureFormat.ts';

/** Returns whether a record is a frame of this direction. */
export const isFrame = (record: CaptureRecord, direction: FrameRecord['type']): record is FrameRecord =>
  record.type === direction;

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

/** Returns the data of a frame as a socket delivers it. */
export const frameData = ({ data, encoding }: FrameRecord): string | Uint8Array =>
  encoding === 'base64' ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : data;
