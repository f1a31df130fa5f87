import type { FrameRecord } from '#shared/capture/format.ts';
import { isJsonObject } from '#shared/isJsonObject.ts';
import type { AppAdapter, DecodedFrame } from './appAdapter.ts';

/**
 * Decodes a received frame with the adapter of an app.
 * @throws {TypeError} when the adapter returns something else.
 */
export function decodeAppFrame(adapter: AppAdapter, frame: FrameRecord): DecodedFrame<unknown> {
  const decoded: unknown = adapter.decode(frameData(frame));
  if (isJsonObject(decoded)) {
    const { rejected, where } = decoded;
    if (typeof rejected === 'string') return typeof where === 'string' ? { rejected, where } : { rejected };
    if ('update' in decoded) return { update: decoded.update };
  }
  throw new TypeError('decode() must return { update } or { rejected }');
}

/** Returns the data of a frame as a socket delivers it. */
export const frameData = ({ data, encoding }: FrameRecord): string | Uint8Array =>
  encoding === 'base64' ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : data;
