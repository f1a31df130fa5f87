import { pictureType } from '#shared/mediaType.ts';

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

/** A picture as an address, or `null` when the bytes are none that is shown. */
export function pictureUrl(base64: string): string | null {
  const type = pictureType(base64);
  return type && `data:${type};base64,${base64}`;
}
