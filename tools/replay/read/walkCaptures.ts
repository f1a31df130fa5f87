import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { UsageError } from '../base/errors.ts';
import { listObjects } from '../s3/listObjects.ts';
import { isS3Url } from '../s3/s3Url.ts';
import { STDIN } from './stdin.ts';

/** A capture that an argument selects. */
export interface FoundCapture {
  readonly path: string;
  /** Its path inside the folder that was given, with `/`; otherwise the path itself. The same for every place of the folder. */
  readonly name: string;
}

const CAPTURE = /\.(?:parley\.jsonl|parley\.jsonl\.gz|har|har\.gz|har\.zip)$/;

/** The entries of a folder are sorted in parts of this size, so that a folder of any size needs little memory. */
const SORTED_ENTRIES = 10_000;

/**
 * Finds the captures that arguments select, one after the other. An argument is a file, a folder (with its subfolders), a glob, or
 * `s3://bucket/folder`. A file that does not exist is found too: its reader reports it. With several arguments, a capture is found once.
 * @throws {UsageError} for a folder or a glob without captures, for stdin, and when an S3-compatible store refuses the list.
 */
export async function* walkCaptures(given: readonly string[]): AsyncGenerator<FoundCapture, void> {
  const known = new Set<string>();
  for (const argument of given) {
    for await (const found of capturesOf(argument)) {
      if (given.length > 1) {
        const path = isS3Url(found.path) ? found.path : resolve(found.path);
        if (known.has(path)) continue;
        known.add(path);
      }
      yield found;
    }
  }
}

async function* capturesOf(given: string): AsyncGenerator<FoundCapture, void> {
  if (given === STDIN)
    throw new UsageError(
      '- (stdin) works only for commands that read one capture once; save it to a file and name the file',
    );
  if (isS3Url(given)) {
    yield* CAPTURE.test(given) ? [namedByPath(given)] : capturesIn(given, objectsInside(given));
    return;
  }
  const existing = await stat(given).catch(() => undefined);
  if (existing?.isDirectory()) yield* capturesIn(given, filesInside(given));
  else if (existing !== undefined || !isDynamicPattern(given)) yield namedByPath(given);
  else yield* matches(given);
}

/** Returns a capture that is named by its own path. */
export function namedByPath(given: string): FoundCapture {
  if (isS3Url(given)) return { path: given, name: given };
  const path = join(given);
  return { path, name: slashed(path) };
}

const slashed = (path: string): string => path.replaceAll(sep, '/');

async function* matches(pattern: string): AsyncGenerator<FoundCapture, void> {
  const found = await glob(pattern, { expandDirectories: false, absolute: isAbsolute(pattern) });
  if (found.length === 0) throw new UsageError(`${pattern}: no file matches`);
  for (const path of found.sort()) yield namedByPath(path);
}

async function* capturesIn(
  folder: string,
  files: AsyncIterable<FoundCapture>,
): AsyncGenerator<FoundCapture, void> {
  let count = 0;
  for await (const found of files) {
    if (!CAPTURE.test(found.path)) continue;
    count++;
    yield found;
  }
  if (count === 0)
    throw new UsageError(
      `${folder}: contains no captures (*.parley.jsonl or *.har, or either of them with .gz)`,
    );
}

/** Finds the objects in a folder of an S3-compatible store, in the order of the names' bytes. Omits hidden entries. */
async function* objectsInside(folder: string): AsyncGenerator<FoundCapture, void> {
  for await (const { url, name } of listObjects(folder))
    if (!/(?:^|\/)\./.test(name)) yield { path: url, name };
}

async function* filesInside(folder: string): AsyncGenerator<FoundCapture, void> {
  for await (const path of pathsInside(folder))
    yield { path, name: slashed(path.slice(join(folder, '/').length)) };
}

/** Walks a folder in the order of the names. Omits hidden entries. Follows links, except those to a folder that contains them. */
async function* pathsInside(folder: string): AsyncGenerator<string, void> {
  for await (const entries of sortedEntries(folder)) {
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (await isFolder(entry, folder)) yield* pathsInside(path);
      else if (!entry.isDirectory()) yield path;
    }
  }
}

async function* sortedEntries(folder: string): AsyncGenerator<Dirent[], void> {
  let part: Dirent[] = [];
  const sorted = () => part.sort((a, b) => (a.name < b.name ? -1 : 1));
  try {
    for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
      if (entry.name.startsWith('.')) continue;
      part.push(entry);
      if (part.length < SORTED_ENTRIES) continue;
      yield sorted();
      part = [];
    }
  } catch (error) {
    throw new UsageError(`${folder}: ${readErrorReason(error)}`, { cause: error });
  }
  yield sorted();
}

async function isFolder(entry: Dirent, folder: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const path = join(folder, entry.name);
  const target = await stat(path).catch(() => undefined);
  if (!target?.isDirectory()) return false;
  const [real, parent] = await Promise.all([realpath(path), realpath(folder)]);
  return !join(parent, '/').startsWith(join(real, '/'));
}
