import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { codeOf } from '#shared/codeOf.ts';
import { UsageError } from '../errors.ts';

interface Writing {
  /** Gzipped when it ends in `.gz`. */
  readonly path: string;
  readonly pieces: AsyncIterable<string>;
  /** Whether a file that is there may be written over. */
  readonly force: boolean;
}

/**
 * Writes a file of text, for its owner alone. What was begun is removed when it fails.
 * @throws {UsageError} when the file cannot be written; whatever the pieces throw.
 */
export async function writeText({ path, pieces, force }: Writing): Promise<void> {
  const file = createWriteStream(path, { flags: force ? 'w' : 'wx', mode: 0o600 });
  const source = Readable.from(pieces);
  try {
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file);
    else await pipeline(source, file);
  } catch (error) {
    const reason = reasonOf(error);
    // With `wx` the file is ours, unless it was there before.
    if (!force && codeOf(error) !== 'EEXIST') await rm(path, { force: true });
    if (reason === undefined) throw error;
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  }
}

/** Why a file cannot be written, in words; `undefined` when it is not the file's fault. */
export function reasonOf(error: unknown): string | undefined {
  const code = codeOf(error);
  switch (code) {
    case 'EEXIST':
      return 'is there already; name another with -o, or write over it with --force';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cannot be written: its folder does not exist';
    case 'EISDIR':
      return 'cannot be written: it is a folder';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'may not be written';
    case 'ENOSPC':
      return 'cannot be written: the disk is full';
    case undefined:
      return undefined;
    default:
      return /^E[A-Z]+$/.test(code) ? `cannot be written (${code})` : undefined;
  }
}
