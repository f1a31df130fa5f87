/** Reads a body as text, at most `maxBytes` of it. */
export async function readBody(
  bytes: AsyncGenerator<Uint8Array, void, void>,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes);
}
