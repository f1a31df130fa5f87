import { isUtf8 } from 'node:buffer';
import type { FrameRecord } from '#shared/capture/format.ts';

/** Converts a frame from a socket to its form in a capture: text, or base64 when it is not text. */
export const frameData = (data: Buffer, isBinary: boolean): Pick<FrameRecord, 'data' | 'encoding'> =>
  isBinary || !isUtf8(data)
    ? { data: data.toString('base64'), encoding: 'base64' }
    : { data: data.toString() };
