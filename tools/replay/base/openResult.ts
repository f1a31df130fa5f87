import { REPLAY } from './command.ts';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UsageError } from './errors.ts';
import type { Output } from './output.ts';
import { createSpool } from './spool.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import { writePiecesAtomically } from '#node/writeFileAtomically.ts';
import { errorCode } from '#shared/formatText.ts';

const STDOUT = 'stdout';

/** The commander option of every command that writes a file. */
export const FORCE = ['--force', 'overwrites an existing file'] as const;

type Pieces = Iterable<string> | AsyncIterable<string>;

interface Options {
  /** `-` is stdout. */
  readonly path: string;
  readonly force?: boolean | undefined;
  /** Whether the command prints a JSON document on stdout. */
  readonly json?: boolean | undefined;
  /** Whether a part of the result has no use: then stdout gets the result when it is complete, or nothing. */
  readonly isWhole?: boolean;
}

/** The error about an output file that exists. */
const EXISTS = 'already exists; overwrite it with --force, or name another file with -o';

/**
 * Checks where a command's result goes, before its work begins (contract §7).
 * @throws {UsageError} for a file that exists, without `force`, for a folder, for a file in no folder, and for two results on stdout.
 */
export async function openResult({ path, force = false, json, isWhole }: Options, output: Output) {
  if (path === '-') {
    if (json === true) throw new UsageError('--json and -o - both write to stdout; leave one of them out');
    const write = (pieces: Pieces) => writeStdout(pieces, isWhole === true, output);
    return { name: STDOUT, write, print: output.err };
  }
  if (path === '') throw new UsageError('-o takes the name of a file');
  const [file, folder] = await Promise.all(
    [path, dirname(path)].map((one) => stat(one).catch(() => undefined)),
  );
  if (file?.isDirectory()) throw new UsageError(`${path}: is a folder; name a file with -o`);
  if (folder === undefined) throw new UsageError(`${path}: cannot be written: its folder does not exist`);
  // A device or a pipe is not replaced.
  if (!force && file?.isFile()) throw new UsageError(`${path}: ${EXISTS}`);
  return {
    /** The path, or `stdout`. */
    name: path,
    /**
     * Writes the whole result.
     * @throws {UsageError} when the file cannot be written; also throws every error of the pieces.
     */
    write: (pieces: Pieces) => writeOutput({ path, pieces, force }),
    /** Prints what the command did: on stdout, or on stderr when the result itself goes to stdout. */
    print: output.out,
  };
}

async function writeStdout(pieces: Pieces, isWhole: boolean, output: Output): Promise<void> {
  const spool = isWhole ? createSpool() : undefined;
  for await (const piece of pieces) (spool?.write ?? output.out)(piece);
  spool?.read(output.out);
  // When stdout cannot be written, the process ends here, before it says that the result is written.
  await setImmediate();
}

/** Returns a line that says how to replay a result; empty for a result on stdout. */
export const replayHint = (name: string, options = ''): string =>
  name === STDOUT ? '' : `Replay it with: ${REPLAY} run ${name}${options}\n`;

/**
 * Writes a text file, readable by its owner only, completely or not at all. Follows a link. Writes directly to a device or
 * a pipe. The text is gzipped when the path ends in `.gz`; `force`: an existing file may be replaced.
 * @throws {UsageError} when the file cannot be written; also throws every error of the pieces.
 */
export async function writeOutput({ path, pieces, force }: { path: string; pieces: Pieces; force: boolean }) {
  const content = path.endsWith('.gz') ? gzipped(pieces) : pieces;
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => undefined);
    if (existing === undefined || existing.isFile())
      await writePiecesAtomically(target, content, { isExclusive: !force });
    else await pipeline(Readable.from(content), (await open(target, 'w')).createWriteStream());
  } catch (error) {
    const reason = writeErrorReason(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  }
}

/** Gzips the pieces. An error of the pieces destroys the stream, so it reaches the reader. */
function gzipped(pieces: Pieces): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(pieces), gzip).catch((error: Error) => gzip.destroy(error));
  return gzip;
}

/** Returns in words why a file cannot be written; `undefined` when the error is not about the file. */
export function writeErrorReason(error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  if (code === 'EEXIST') return EXISTS;
  return /^E[A-Z]+$/.test(code) ? `cannot be written: ${fileErrorReason(error)}` : undefined;
}

/** @throws {UsageError} when a result would replace the capture of which it is made. */
export async function refuseSameFile(capture: string, result: string): Promise<void> {
  const [one, other] = await Promise.all([capture, result].map((path) => stat(path).catch(() => undefined)));
  if (one !== undefined && one.dev === other?.dev && one.ino === other.ino)
    throw new UsageError(`${result}: is the capture itself; name another file with -o`);
}
