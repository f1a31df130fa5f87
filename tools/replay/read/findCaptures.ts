import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { UsageError } from '../base/errors.ts';
import { STDIN } from './stdin.ts';

const IN_A_FOLDER = ['**/*.parley.jsonl', '**/*.parley.jsonl.gz', '**/*.har'];

/**
 * The captures that arguments mean, sorted, each once. An argument is a file, a folder (with the folders in it), or a
 * glob. A file that does not exist is given back as it is: reading it says so, and the others are still looked at.
 * @throws {UsageError} for a folder or a glob without captures, and for stdin.
 */
export async function findCaptures(given: readonly string[]): Promise<string[]> {
  const found = await Promise.all(given.map(capturesOf));
  const each = new Map(found.flat().map((path) => [resolve(path), join(path)]));
  return [...each.values()].sort();
}

async function capturesOf(given: string): Promise<string[]> {
  if (given === STDIN)
    throw new UsageError(
      '- (stdin) is for commands that read one capture once; save it to a file and name that',
    );
  const known = await stat(given).catch(() => undefined);
  if (known?.isDirectory()) return inFolder(given);
  if (known !== undefined || !isDynamicPattern(given)) return [given];
  const matches = await glob(given, { expandDirectories: false, absolute: isAbsolute(given) });
  if (matches.length === 0) throw new UsageError(`${given}: no file matches`);
  return matches;
}

async function inFolder(folder: string): Promise<string[]> {
  const inside = await glob(IN_A_FOLDER, { cwd: folder });
  if (inside.length > 0) return inside.map((path) => join(folder, path));
  throw new UsageError(`${folder}: a folder without captures (*.parley.jsonl, *.parley.jsonl.gz or *.har)`);
}
