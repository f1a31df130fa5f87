import { rmSync } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../errors.ts';
import { reasonOf } from '../har/writeText.ts';

/**
 * Writes a file of text, gzipped when it ends in `.gz`, for its owner alone. Until all is written it stands beside its
 * place under another name, so that whatever happens nobody finds half of it.
 * @throws {UsageError} when it cannot be written; whatever the pieces throw.
 */
export async function writeAtomically(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  // A device or a pipe is written to; putting a file in its place would be a surprise.
  const isPlace = known === undefined || known.isFile();
  const temporary = isPlace ? `${target}.${process.pid}.new` : target;
  const remove = () => {
    if (isPlace) rmSync(temporary, { force: true });
  };
  // Also when a signal ends the process.
  process.once('exit', remove);
  try {
    // There before the first piece: what is removed when the pieces fail does not come after.
    const file = (await open(temporary, 'w', 0o600)).createWriteStream();
    if (path.endsWith('.gz')) await pipeline(Readable.from(pieces), createGzip(), file);
    else await pipeline(Readable.from(pieces), file);
    if (isPlace) await rename(temporary, target);
  } catch (error) {
    remove();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  } finally {
    process.off('exit', remove);
  }
}
