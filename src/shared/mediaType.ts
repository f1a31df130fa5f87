/** The beginning of the base64 of each picture type that a window can draw, except SVG, which has no fixed beginning. */
const PICTURES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD(?:dh|lh)/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^.{5}[GWm2]Z0eXB(?:hdml[mz]|taWYx|tc2Yx)/, 'image/avif'],
  [/^Qk[0-3]/, 'image/bmp'],
  [/^AAA[BC]A/, 'image/x-icon'],
];

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

const typeIn = (list: typeof PICTURES, base64: string): string | null =>
  list.find(([beginning]) => beginning.test(base64))?.[1] ?? null;

/** Detects the media type of a picture from its first bytes (base64); returns `null` for SVG and anything else. */
export const pictureType = (base64: string): string | null => typeIn(PICTURES, base64);

/**
 * Returns the media type of an item of the category `image` (spec §2.4): SVG, unless its first bytes show another type. SVG is a document
 * that can contain scripts, so show it as an `img` only, where none runs.
 */
export const imageType = (base64: string): string => pictureType(base64) ?? 'image/svg+xml';

/** Detects the media type of a sound from its first bytes (base64); returns `null` for anything else. */
export const audioType = (base64: string): string | null => typeIn(SOUNDS, base64);
