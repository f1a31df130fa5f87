import { Readable } from 'node:stream';
import { UsageError } from '../base/errors.ts';

/** The capture argument that means stdin. */
export const STDIN = '-';

/** Returns the name of a capture in messages and documents: its path, or `stdin`. */
export const captureName = (path: string): string => (path === STDIN ? 'stdin' : path);

/**
 * Checks that at most one of the arguments of a command is stdin.
 * @throws {UsageError} when several are.
 */
export function requireOneStdin(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw new UsageError('- (stdin) can be read once; name a file');
}

/** The first two bytes of gzip. */
const MAGIC = Buffer.from([0x1f, 0x8b]);

/** The bytes of a capture. */
export interface Input {
  readonly stream: Readable & { readonly bytesRead?: number };
  readonly isZipped: boolean;
}

/** Opens stdin; can be called once. Detects gzip by the first bytes. */
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
