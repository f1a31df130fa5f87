import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { quoteForShell } from '#files/quoteForShell.ts';
import { EndpointSettingsError } from './endpointSettingsError.ts';

const OPEN_TO_OTHERS = 0o077;
/** No key is longer. */
const MAX_BYTES = 16_384;

const refuse = (what: string) => new EndpointSettingsError(`PARLEY_ASSISTANT_KEY_FILE ${what}`);

/**
 * Reads the text of a key's file. It must belong to this user and must not be accessible to others, except on Windows, which uses
 * access lists instead.
 * @throws {EndpointSettingsError}
 */
export function readKeyFile(path: string): string {
  const file = open(path);
  try {
    const stats = fstatSync(file);
    const quoted = quoteForShell(path);
    if (!stats.isFile()) throw refuse(`names ${quoted}, which is not a file: name a file with the key`);
    const uid = process.getuid?.();
    if (uid !== undefined && stats.uid !== uid)
      throw refuse(`names ${quoted}, which belongs to another user: name a file of your own`);
    if (uid !== undefined && (stats.mode & OPEN_TO_OTHERS) !== 0)
      throw refuse(`names ${quoted}, which is open to other users: run \`chmod 600 ${quoted}\``);
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Opens the file. A pipe does not block, and is refused afterwards. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw refuse(`cannot be read: ${readErrorReason(error)}; name a file with the key`);
  }
}
