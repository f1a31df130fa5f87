import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import picomatch from 'picomatch';
import { isDynamicPattern } from 'tinyglobby';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { fileStream } from '#node/fileStream.ts';
import { UsageError } from '../base/errors.ts';
import { withoutByteOrderMark } from './captureDecoder.ts';
import { isS3Url, listObjects } from './s3.ts';
import { STDIN, captureName } from './stdin.ts';

/** How a command names its captures: by arguments, or by a file that lists them. */
export interface GivenCaptures {
  readonly given: readonly string[];
  readonly filesFrom?: string;
}

/** A capture that an argument selects. */
export interface FoundCapture {
  readonly path: string;
  /** Its path inside the folder that was given, with `/`; otherwise the path itself. The same for every place of the folder. */
  readonly name: string;
}

/**
 * Finds the captures of a command that accepts arguments or `--files-from`.
 * @throws {UsageError} when there are both or neither, and for a pipe: a capture is read more than once.
 */
export function givenCaptures({ given, filesFrom }: GivenCaptures): AsyncIterable<FoundCapture> {
  if (filesFrom !== undefined && given.length > 0)
    throw new UsageError('name the captures, or a file that lists them with --files-from; not both');
  if (filesFrom !== undefined) return listedCaptures(filesFrom);
  if (given.length === 0)
    throw new UsageError(
      'name captures: files, folders, globs or s3://bucket/folder; or a file that lists them with --files-from',
    );
  return walkFiles(given);
}

async function* walkFiles(given: readonly string[]): AsyncGenerator<FoundCapture, void> {
  for (const path of given) await refusePipe(path, 'save it to a file and name the file');
  yield* walkCaptures(given);
}

/** Checks that a capture can be read more than once. @throws {UsageError} with the advice when the path is a pipe. */
async function refusePipe(path: string, advice: string): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFIFO()) throw new UsageError(`${path}: is a pipe, which can be read once; ${advice}`);
}

/** Returns the paths of captures. */
export async function* pathsOf(captures: AsyncIterable<FoundCapture>): AsyncGenerator<string, void> {
  for await (const { path } of captures) yield path;
}

/**
 * Returns the one capture that an argument selects: a file, a folder or a glob with exactly one capture, or `-` for stdin.
 * @throws {UsageError} when the argument selects several captures, or none.
 */
export async function oneCapture(given: string): Promise<string> {
  if (given === STDIN) return STDIN;
  const [path = given, ...others] = await findCaptures([given]);
  if (others.length > 0)
    throw new UsageError(
      `${given}: contains ${others.length + 1} captures, and this command takes one; name it`,
    );
  return path;
}

/**
 * Returns the one capture that an argument selects, for a command that reads it more than once. Stdin is accepted: the command keeps its content.
 * @throws {UsageError} as `oneCapture` does, and for a pipe.
 */
export async function rereadCapture(given: string): Promise<string> {
  const path = await oneCapture(given);
  await refusePipe(path, 'give it on stdin and name - as the capture');
  return path;
}

/**
 * Returns the captures that arguments select, sorted, without duplicates, as `walkCaptures` finds them.
 * @throws {UsageError} for a folder or a glob without captures, and for stdin.
 */
export async function findCaptures(given: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const path of pathsOf(walkCaptures(given))) found.push(path);
  return found.sort();
}

const CAPTURE = /\.(?:parley\.jsonl|parley\.jsonl\.gz|har|har\.gz|har\.zip)$/;

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

const STDIN_REFUSED =
  '- (stdin) works only for commands that read one capture once; save it to a file and name the file';

async function* capturesOf(given: string): AsyncGenerator<FoundCapture, void> {
  if (given === STDIN) throw new UsageError(STDIN_REFUSED);
  if (given === '') throw new UsageError('the name of a capture is empty; name a file or a folder');
  const existing = isS3Url(given) ? undefined : await stat(given).catch(() => undefined);
  if (isS3Url(given) && !CAPTURE.test(given)) yield* capturesIn(given, listObjects(given));
  else if (existing?.isDirectory()) yield* capturesIn(given, filesInside(given));
  else if (isS3Url(given) || existing !== undefined || !isDynamicPattern(given)) yield namedByPath(given);
  else yield* matches(given);
}

/** Returns a capture that is named by its own path. */
export function namedByPath(given: string): FoundCapture {
  if (isS3Url(given)) return { path: given, name: given };
  const path = join(given);
  return { path, name: path.replaceAll(sep, '/') };
}

/** Finds the captures in a folder or in the listed objects of a store. Omits hidden files, and objects in hidden folders. */
async function* capturesIn(
  folder: string,
  files: AsyncIterable<FoundCapture>,
): AsyncGenerator<FoundCapture, void> {
  let count = 0;
  for await (const found of files) {
    if (!CAPTURE.test(found.path) || /(?:^|\/)\./.test(found.name)) continue;
    count++;
    yield found;
  }
  if (count === 0)
    throw new UsageError(
      `${folder}: contains no captures (*.parley.jsonl or *.har, or either of them with .gz)`,
    );
}

async function* filesInside(folder: string): AsyncGenerator<FoundCapture, void> {
  for await (const name of pathsInside(folder, isShown)) yield { path: join(folder, name), name };
}

async function* matches(pattern: string): AsyncGenerator<FoundCapture, void> {
  const { base, glob } = picomatch.scan(pattern, { nonegate: true });
  const folder = base === '' ? '.' : base;
  const isMatch = picomatch(glob, { nonegate: true });
  const isFolderThere = (await stat(folder).catch(() => undefined))?.isDirectory();
  let count = 0;
  for await (const inside of isFolderThere ? pathsInside(folder, entersFor(glob)) : []) {
    if (!isMatch(inside)) continue;
    count++;
    yield namedByPath(join(folder, inside));
  }
  if (count === 0) throw new UsageError(`${pattern}: no file matches`);
}

/** Returns whether a folder is entered, by its name; `depth` 0 is directly in the walked folder. */
type Enters = (name: string, depth: number) => boolean;

const isShown: Enters = (name) => !name.startsWith('.');

/** Returns which folders can contain a match of a glob: up to the first `**`, those that its parts match. */
function entersFor(glob: string): Enters {
  const parts = glob.split('/');
  // A group with a slash is in several parts.
  const first = /[({[][^)}\]]*\//.test(glob) ? 0 : parts.indexOf('**');
  const fixed = first === -1 ? parts.slice(0, -1) : parts.slice(0, first);
  const matchers = fixed.map((part) => picomatch(part, { nonegate: true }));
  return (name, depth) => matchers[depth]?.(name) ?? (first !== -1 && isShown(name, depth));
}

/**
 * Walks a folder in the order of the names; yields the paths of files inside it, with `/`. Follows links, except those to a folder that contains
 * them.
 * @param inside the folder's path inside the walked one: the names of its parents and its own.
 */
async function* pathsInside(
  folder: string,
  enters: Enters,
  inside: readonly string[] = [],
): AsyncGenerator<string, void> {
  for (const entry of await entriesOf(join(folder, ...inside))) {
    const path = [...inside, entry.name];
    const kind = await kindOf(entry, join(folder, ...inside));
    if (kind === 'file') yield path.join('/');
    else if (kind === 'folder' && enters(entry.name, inside.length)) yield* pathsInside(folder, enters, path);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(`${folder}: ${readErrorReason(error)}`, { cause: error });
  }
}

/** Returns what an entry is; a link to a folder that contains it is a loop. */
async function kindOf(entry: Dirent, folder: string): Promise<'file' | 'folder' | 'loop'> {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  const path = join(folder, entry.name);
  const target = await stat(path).catch(() => undefined);
  if (!target?.isDirectory()) return 'file';
  const [real, parent] = await Promise.all([realpath(path), realpath(folder)]);
  return join(parent, '/').startsWith(join(real, '/')) ? 'loop' : 'folder';
}

/**
 * Reads the paths of captures from a file, or with `-` from stdin: one on each line.
 * @throws {UsageError} when the file cannot be read or lists no captures, and for stdin as a capture.
 */
async function* listedCaptures(file: string): AsyncGenerator<FoundCapture, void> {
  let input: Readable | undefined;
  let count = 0;
  try {
    input = file === STDIN ? process.stdin : fileStream(file);
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const path = withoutByteOrderMark(line);
      if (path.trim() === '') continue;
      if (path === STDIN) throw new UsageError(STDIN_REFUSED);
      count++;
      yield namedByPath(path);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${readErrorReason(error)}`, { cause: error });
  } finally {
    input?.destroy();
  }
  if (count === 0) throw new UsageError(`${captureName(file)}: lists no captures`);
}
