/** Every host has this function. */
declare const atob: (base64: string) => string;

/** Decodes base64 to bytes as characters; returns `null` when the text is not base64. */
export function decodeBinary(base64: string): string | null {
  try {
    return atob(base64);
  } catch {
    return null;
  }
}

/** Decodes base64; returns `null` when the text is not base64. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  const binary = decodeBinary(base64);
  if (binary === null) return null;
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
