import { readFile } from 'node:fs/promises';
import { fileErrorReason } from '#files/fileErrorReason.ts';
import { writeFileAtomically } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { type Golden, GoldenError, parseGolden } from './golden.ts';
import { goldenText } from './goldenText.ts';
import { isSameJson } from '../diff/isSameJson.ts';

/** A golden is part of a repository: the umask decides who may read it. */
const SHARED = 0o666;

/** What writing a golden did. */
export type Written = 'new' | 'changed' | 'unchanged';

/** Where a capture's golden stands: beside it. */
export const goldenPath = (capture: string): string =>
  `${capture.replace(/\.parley\.jsonl(?:\.gz)?$|\.har$/, '')}.golden.json`;

/**
 * Reads a golden's text.
 * @throws {GoldenError} naming the file, when there is none or it cannot be read.
 */
export async function readGoldenText(path: string): Promise<string> {
  const text = await textOf(path);
  if (text === undefined) throw new GoldenError(`${path}: there is no golden yet; run verify with --update`);
  return text;
}

/**
 * What a golden's text says.
 * @throws {GoldenError} naming the file, when it cannot be used.
 */
export function goldenOf(path: string, text: string): Golden {
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
  const before = await textOf(path);
  if (before !== undefined && (before === text || saysTheSame(before, golden))) return 'unchanged';
  try {
    writeFileAtomically(path, text, { mode: SHARED });
  } catch (error) {
    throw new GoldenError(`${path}: could not be written: ${fileErrorReason(error)}`, { cause: error });
  }
  return before === undefined ? 'new' : 'changed';
}

/** Perhaps with its keys in another order. */
function saysTheSame(text: string, golden: Golden): boolean {
  try {
    return isSameJson(parseGolden(text), golden);
  } catch (error) {
    if (error instanceof GoldenError) return false;
    throw error;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new GoldenError(`${path}: ${readErrorReason(error)}`, { cause: error });
  }
}
