import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { UsageError } from '../base/errors.ts';
import { STDIN } from './stdin.ts';

const PATTERNS = ['**/*.parley.jsonl', '**/*.parley.jsonl.gz', '**/*.har'];

/**
 * Returns the captures that arguments select, sorted, without duplicates. An argument is a file, a folder (with its
 * subfolders), or a glob. A file that does not exist is returned too: its reader reports it, and the others are still read.
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
      '- (stdin) works only for commands that read one capture once; save it to a file and name the file',
    );
  const known = await stat(given).catch(() => undefined);
  if (known?.isDirectory()) return inFolder(given);
  if (known !== undefined || !isDynamicPattern(given)) return [given];
  const matches = await glob(given, { expandDirectories: false, absolute: isAbsolute(given) });
  if (matches.length === 0) throw new UsageError(`${given}: no file matches`);
  return matches;
}

async function inFolder(folder: string): Promise<string[]> {
  const inside = await glob(PATTERNS, { cwd: folder });
  if (inside.length > 0) return inside.map((path) => join(folder, path));
  throw new UsageError(`${folder}: contains no captures (*.parley.jsonl, *.parley.jsonl.gz or *.har)`);
}
