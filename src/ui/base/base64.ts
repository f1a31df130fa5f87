import { imageType } from '#shared/mediaType.ts';

/** Decodes base64; returns `null` when the text is not base64. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
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

/** Returns the data URL of an image, or `null` when there are no bytes. */
export const pictureUrl = (base64: string): string | null =>
  base64 === '' ? null : `data:${imageType(base64)};base64,${base64}`;
