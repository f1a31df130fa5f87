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

/** Detects the media type of a picture from its first bytes (base64); returns `null` for SVG and anything else. */
export const pictureType = (base64: string): string | null =>
  PICTURES.find(([beginning]) => beginning.test(base64))?.[1] ?? null;
