import { isCheapSvg } from './isCheapSvg.ts';
import { IMAGE_PIXELS, SVG_BYTES } from '../limits.ts';
import { decodeBinary } from './decodeBase64.ts';
import { imagePixels, pictureType } from './imageSize.ts';

/** The beginning of the base64 of each sound type. */
const SOUNDS: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^GkXfo/, 'audio/webm'],
  [/^T2dnU/, 'audio/ogg'],
  [/^UklGR.{6}XQVZF/, 'audio/wav'],
  [/^(?:SUQz|\/\/[I-Po-v])/, 'audio/mpeg'],
  [/^\/\/[E-Hk-n]/, 'audio/aac'],
  [/^.{5}[GWm2]Z0eXB/, 'audio/mp4'],
  [/^ZkxhQ/, 'audio/flac'],
];

/**
 * Returns the media type with which the item of the category `image` is drawn (spec §2.4): SVG, unless its first bytes show another type. Returns `null`
 * when it is not drawn: it is empty, or it may block the window (contract §5).
 *
 * SVG is a document that can contain scripts, so show it as an `img` only, where none runs.
 * @param base64 the whole image
 */
export function imageType(base64: string): string | null {
  const type = pictureType(base64);
  if (type !== null) return (imagePixels(base64) ?? Infinity) <= IMAGE_PIXELS ? type : null;
  if (base64.length > 2 * SVG_BYTES) return null;
  const source = decodeBinary(base64);
  return source !== null && isCheapSvg(source) ? 'image/svg+xml' : null;
}

/** Detects the media type of a sound from its first bytes (base64); returns `null` for anything else. */
export const audioType = (base64: string): string | null =>
  SOUNDS.find(([beginning]) => beginning.test(base64))?.[1] ?? null;
