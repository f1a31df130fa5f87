/** The beginning of the base64 of each picture type. SVG is excluded: it is a document that can contain scripts. */
const PICTURES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD(?:dh|lh)/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
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

/** Detects the media type of a picture from its first bytes (base64); returns `null` for anything else. */
export const pictureType = (base64: string): string | null => typeIn(PICTURES, base64);

/** Detects the media type of a sound from its first bytes (base64); returns `null` for anything else. */
export const audioType = (base64: string): string | null => typeIn(SOUNDS, base64);
