/** The bytes of a base64 text, or `null` when it is none. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** How the base64 of each kind of picture begins. SVG is not among them: it is a document, not a picture. */
const PICTURES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD(?:dh|lh)/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
];

/** The media type of a picture, told from its first bytes (base64); `null` of anything else. */
export const pictureType = (base64: string): string | null =>
  PICTURES.find(([beginning]) => beginning.test(base64))?.[1] ?? null;

/** A picture as an address, or `null` when the bytes are none that is shown. */
export function pictureUrl(base64: string): string | null {
  const type = pictureType(base64);
  return type && `data:${type};base64,${base64}`;
}
