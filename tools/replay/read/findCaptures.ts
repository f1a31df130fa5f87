import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { isDynamicPattern } from 'tinyglobby';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { UsageError } from '../base/errors.ts';
import { readBytes } from './readBytes.ts';
import { capturePieces } from './readCapture.ts';
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

type FoundCaptures = AsyncGenerator<FoundCapture, void>;

/**
 * Finds the captures of a command that accepts arguments or `--files-from`.
 * @throws {UsageError} when there are both or neither, and for a pipe: a capture is read more than once.
 */
export function givenCaptures({ given, filesFrom }: GivenCaptures): FoundCaptures {
  if (filesFrom !== undefined && given.length > 0)
    throw new UsageError('name the captures, or a file that lists them with --files-from; not both');
  if (filesFrom !== undefined)
    return someOf(listedCaptures(filesFrom), `${captureName(filesFrom)}: lists no captures`);
  if (given.length === 0)
    throw new UsageError(
      'name captures: files, folders, globs or s3://bucket/folder; or a file that lists them with --files-from',
    );
  return walkFiles(given);
}

async function* walkFiles(given: readonly string[]): FoundCaptures {
  for (const path of given) await refusePipe(path, 'save it to a file and name the file');
  yield* walkCaptures(given);
}

/** Checks that a capture can be read more than once. @throws {UsageError} with the advice when the path is a pipe. */
async function refusePipe(path: string, advice: string): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFIFO()) throw new UsageError(`${path}: is a pipe, which can be read once; ${advice}`);
}

/** Returns the paths of captures. */
export async function* pathsOf(captures: FoundCaptures): AsyncGenerator<string, void> {
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
export async function* walkCaptures(given: readonly string[]): FoundCaptures {
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

async function* capturesOf(given: string): FoundCaptures {
  if (given === STDIN) throw new UsageError(STDIN_REFUSED);
  if (given === '') throw new UsageError('the name of a capture is empty; name a file or a folder');
  const file = isS3Url(given) ? undefined : await stat(given).catch(() => undefined);
  const isFolder = isS3Url(given) ? !CAPTURE.test(given) : file?.isDirectory();
  if (isFolder)
    yield* someOf(
      capturesIn(given),
      `${given}: contains no captures (*.parley.jsonl or *.har, or either of them with .gz)`,
    );
  else if (file !== undefined || isS3Url(given) || !isDynamicPattern(given)) yield namedByPath(given);
  else yield* someOf(matches(given), `${given}: no file matches`);
}

/** @throws {UsageError} with this problem when there are none. */
async function* someOf(captures: FoundCaptures, problem: string): FoundCaptures {
  let isEmpty = true;
  for await (const found of captures) {
    isEmpty = false;
    yield found;
  }
  if (isEmpty) throw new UsageError(problem);
}

/** Returns a capture that is named by its own path. */
export function namedByPath(given: string): FoundCapture {
  if (isS3Url(given)) return { path: given, name: given };
  const path = join(given);
  return { path, name: path.replaceAll(sep, '/') };
}

/** Finds the captures in a folder or in a store. Omits hidden files, and objects in hidden folders. */
async function* capturesIn(folder: string): FoundCaptures {
  const files = isS3Url(folder) ? listObjects(folder) : filesInside(folder, '**');
  for await (const found of files)
    if (CAPTURE.test(found.path) && !/(?:^|\/)\./.test(found.name)) yield found;
}

/** A `!` is part of a name, and so is a newline. */
const GLOB = { nonegate: true, flags: 's' };

async function* matches(pattern: string): FoundCaptures {
  const { base, glob } = picomatch.scan(pattern, GLOB);
  const folder = base === '' ? '.' : base;
  const file = await stat(folder).catch(() => undefined);
  if (!file?.isDirectory()) return;
  for await (const { path } of filesInside(folder, glob)) yield namedByPath(path);
}

/** Finds the files inside a folder that match a glob, in the order of their names. Follows links, except those to a folder that contains them. */
async function* filesInside(folder: string, glob: string): FoundCaptures {
  const isMatch = picomatch(glob, GLOB);
  const enters = entersFor(glob);
  /** @param inside the names of a folder's parents inside the walked one, and its own. */
  async function* walk(inside: readonly string[]): FoundCaptures {
    for (const entry of await entriesOf(join(folder, ...inside))) {
      const name = [...inside, entry.name].join('/');
      const path = join(folder, name);
      const kind = await kindOf(path, entry);
      if (kind === 'file' && isMatch(name)) yield { path, name };
      else if (kind === 'folder' && enters(entry.name, inside.length)) yield* walk([...inside, entry.name]);
    }
  }
  yield* walk([]);
}

/** Returns which folders can contain a match of a glob, by name and depth: up to the first `**`, those that its parts match. */
function entersFor(glob: string): (name: string, depth: number) => boolean {
  // A group with a slash is in several parts.
  const parts = /[({[][^)}\]]*\//.test(glob) ? ['**', ''] : glob.split('/');
  const any = parts.indexOf('**');
  const matchers = parts.slice(0, any === -1 ? -1 : any + 1).map((part) => picomatch(part, GLOB));
  return (name, depth) => matchers[any === -1 ? depth : Math.min(depth, any)]?.(name) ?? false;
}

/** Returns the entries of a folder in the order of their names. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`${folder}: ${readErrorReason(error)}`, { cause: error });
  });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns what an entry is; a link to a folder that contains it is a loop. */
async function kindOf(path: string, entry: Dirent): Promise<'file' | 'folder' | 'loop'> {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  const target = await stat(path).catch(() => undefined);
  if (!target?.isDirectory()) return 'file';
  const [real, parent] = await Promise.all([realpath(path), realpath(dirname(path))]);
  return join(parent, '/').startsWith(join(real, '/')) ? 'loop' : 'folder';
}

/** Reads the paths of captures from a file, or with `-` from stdin: one on each line. */
async function* listedCaptures(file: string): FoundCaptures {
  for await (const { lines } of capturePieces(captureName(file), readBytes(file))) {
    for (const line of lines) {
      const path = line.replace(/^\uFEFF|\r$/g, '');
      if (path === STDIN) throw new UsageError(STDIN_REFUSED);
      if (path.trim() !== '') yield namedByPath(path);
    }
  }
}
