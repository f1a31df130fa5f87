import { Readable } from 'node:stream';

/** The capture argument that means stdin. */
export const STDIN = '-';

/** Returns what messages and documents call a capture: its path, or `stdin`. */
export const captureName = (path: string): string => (path === STDIN ? 'stdin' : path);

/** The first two bytes of gzip. */
const MAGIC = Buffer.from([0x1f, 0x8b]);

/** The bytes of a capture. */
export interface Input {
  readonly stream: Readable & { readonly bytesRead?: number };
  readonly isZipped: boolean;
}

/** Opens stdin, once. Its first bytes say whether it is gzip. */
export async function openStdin(): Promise<Input> {
  const { stdin } = process;
  let start = Buffer.alloc(0);
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    if (Buffer.isBuffer(chunk)) start = Buffer.concat([start, chunk]);
    if (start.length >= MAGIC.length) break;
  }
  if (start.length < MAGIC.length) return { stream: Readable.from([start]), isZipped: false };
  stdin.unshift(start);
  return { stream: stdin, isZipped: MAGIC.equals(start.subarray(0, MAGIC.length)) };
}
