import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { reasonOf } from './captureError.ts';
import { type Golden, GoldenError, parseGolden } from './golden.ts';
import { goldenText } from './goldenText.ts';

/** What writing a golden did. */
export type Written = 'new' | 'changed' | 'unchanged';

/** Where a capture's golden stands: beside it. */
export const goldenPath = (capture: string): string =>
  `${capture.replace(/\.parley\.jsonl(?:\.gz)?$|\.har$/, '')}.golden.json`;

/**
 * Reads a golden.
 * @throws {GoldenError} naming the file, when there is none or it cannot be used.
 */
export async function readGolden(path: string): Promise<Golden> {
  const text = await readText(path);
  if (text === undefined) throw new GoldenError(`${path}: there is no golden yet; run verify with --update`);
  try {
    return parseGolden(text);
  } catch (error) {
    if (!(error instanceof GoldenError)) throw error;
    throw new GoldenError(`${path}: ${error.message}`, { cause: error });
  }
}

/**
 * Writes a golden, whole or not at all; leaves one alone that says the same already.
 * @throws {GoldenError} naming the file, when it cannot be written.
 */
export async function writeGolden(path: string, golden: Golden): Promise<Written> {
  const text = goldenText(golden);
  const before = await readText(path);
  if (before === text) return 'unchanged';
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new GoldenError(`${path}: could not be written: ${reasonOf(error)}`, { cause: error });
  }
  return before === undefined ? 'new' : 'changed';
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new GoldenError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}
