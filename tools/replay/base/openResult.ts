import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UsageError } from './errors.ts';
import type { Output } from './output.ts';
import { createSpool } from './spool.ts';
import { EXISTS, isReplaced, writeOutput } from './writeOutput.ts';

const STDOUT = 'stdout';

/** The commander option of every command that writes a file. */
export const FORCE = ['--force', 'overwrites an existing file'] as const;

/** Where the result of a command goes. */
export interface Result {
  /** The path, or `stdout`. */
  readonly name: string;
  /**
   * Writes the whole result.
   * @throws {UsageError} when the file cannot be written; also throws every error of the pieces.
   */
  write(pieces: AsyncIterable<string>): Promise<void>;
  /** Prints what the command did: on stdout, or on stderr when the result itself goes to stdout. */
  print(text: string): void;
}

interface Options {
  /** `-` is stdout. */
  readonly path: string;
  readonly force?: boolean | undefined;
  /** Whether the command prints a JSON document on stdout. */
  readonly json?: boolean | undefined;
  /** Whether a part of the result has no use: then stdout gets the result when it is complete, or nothing. */
  readonly isWhole?: boolean;
}

/**
 * Checks where a command's result goes, before its work begins (contract §7).
 * @throws {UsageError} for a file that exists, without `force`, for a folder, for a file in no folder, and for two results on stdout.
 */
export async function openResult(
  { path, force = false, json, isWhole = false }: Options,
  output: Output,
): Promise<Result> {
  if (path === '-') return stdoutResult(output, { json, isWhole });
  await refusePlace(path);
  if (!force && (await isReplaced(path))) throw new UsageError(`${path}: ${EXISTS}`);
  return { name: path, write: (pieces) => writeOutput({ path, pieces, force }), print: output.out };
}

async function refusePlace(path: string): Promise<void> {
  if (path === '') throw new UsageError('-o takes the name of a file');
  const [file, folder] = await Promise.all(
    [path, dirname(path)].map((one) => stat(one).catch(() => undefined)),
  );
  if (file?.isDirectory()) throw new UsageError(`${path}: is a folder; name a file with -o`);
  if (folder === undefined) throw new UsageError(`${path}: cannot be written: its folder does not exist`);
}

function stdoutResult(output: Output, { json, isWhole }: Pick<Options, 'json' | 'isWhole'>): Result {
  if (json === true) throw new UsageError('--json and -o - both write to stdout; leave one of them out');
  return {
    name: STDOUT,
    async write(pieces) {
      if (!isWhole) for await (const piece of pieces) output.out(piece);
      else {
        const spool = createSpool();
        for await (const piece of pieces) spool.write(piece);
        spool.read(output.out);
      }
      // When stdout cannot be written, the process ends here, before it says that the result is written.
      await setImmediate();
    },
    print: output.err,
  };
}

/** Returns a line that says how to replay a result; empty for a result on stdout. */
export const replayHint = (name: string, options = ''): string =>
  name === STDOUT ? '' : `Replay it with: npm run replay -- run ${name}${options}\n`;
