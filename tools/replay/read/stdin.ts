import { Readable } from 'node:stream';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { UsageError } from '../base/errors.ts';
import { CaptureError } from './captureDecoder.ts';

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

/** The first bytes of gzip. */
export const GZIP = Buffer.from([0x1f, 0x8b]);
/** The first bytes of a zip. */
export const ZIP = Buffer.from('PK\u0003\u0004');

/** Returns whether bytes start with these. */
export const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.subarray(0, start.length).equals(start);

/** The bytes of a capture. */
export interface Input {
  readonly stream: Readable & { readonly bytesRead?: number };
  readonly isZipped: boolean;
  /** Whether it is a zip with several files. */
  readonly isArchive?: boolean;
}

/**
 * Opens stdin; can be called once. Detects gzip and zip by the first bytes.
 * @throws {CaptureError} when stdin cannot be read.
 */
export async function openStdin(): Promise<Input> {
  try {
    return await detectFormat(process.stdin);
  } catch (error) {
    throw new CaptureError(`${captureName(STDIN)}: ${readErrorReason(error)}`, { cause: error });
  }
}

/** Detects gzip and zip by the first bytes of a stream, which can then be read from its beginning. */
export async function detectFormat(stream: Input['stream']): Promise<Input> {
  let start = Buffer.alloc(0);
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (Buffer.isBuffer(chunk)) start = Buffer.concat([start, chunk]);
    if (start.length >= ZIP.length) break;
  }
  const isWhole = start.length < ZIP.length;
  if (!isWhole) stream.unshift(start);
  return {
    stream: isWhole ? Readable.from([start]) : stream,
    isZipped: startsWith(start, GZIP),
    isArchive: startsWith(start, ZIP),
  };
}
