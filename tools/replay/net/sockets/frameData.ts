import { isUtf8 } from 'node:buffer';
import type { FrameRecord } from '#shared/capture/format.ts';

/** A frame as it came on a socket, as a capture holds it: text, or base64 for what is no text. */
export const frameData = (data: Buffer, isBinary: boolean): Pick<FrameRecord, 'data' | 'encoding'> =>
  isBinary || !isUtf8(data)
    ? { data: data.toString('base64'), encoding: 'base64' }
    : { data: data.toString() };
