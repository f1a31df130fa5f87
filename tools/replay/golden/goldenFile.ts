import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileErrorReason, readErrorReason } from '#node/fileErrorReason.ts';
import { writeFileAtomically } from '#node/writeFileAtomically.ts';
import { errorCode } from '#shared/formatText.ts';
import { tryParseJson } from '#shared/json.ts';
import { S3Error, isS3Url, readObjectText, writeObject } from '../read/s3.ts';
import { type Golden, GoldenError, goldenText } from './golden.ts';
import { isSameJson } from '../diff/valueDiff.ts';

/** Matches the extension of a capture. A name such as `x.har.parley.jsonl` does not match: its golden would be that of `x.har`. */
const EXTENSION = /(?<!\.(?:har|jsonl)(?:\.gz|\.zip)?|\.zip)\.parley\.jsonl$/;

/**
 * Returns the path of a capture's golden, which is beside the capture: `x.golden.json` for `x.parley.jsonl`, and the whole name with
 * `.golden.json` for every other file. So each file has a golden of its own.
 */
export const goldenPath = (capture: string): string => `${capture.replace(EXTENSION, '')}.golden.json`;

/**
 * Reads a golden's text.
 * @throws {GoldenError} with the file's name, when it is missing or cannot be read.
 */
export async function readGoldenText(path: string): Promise<string> {
  const text = await textOf(path);
  if (text === undefined) throw new GoldenError(`${path}: there is no golden yet; run verify with --update`);
  return text;
}

/**
 * Writes a capture's golden, completely or not at all, with the mode of the capture: it contains the same texts. In an S3-compatible store
 * it is an object beside the capture. Does not write when the file already has the same content.
 * @throws {GoldenError} with the file's name, when it cannot be written.
 */
export async function writeGolden(capture: string, golden: Golden) {
  const path = goldenPath(capture);
  const text = goldenText(golden);
  const before = await textOf(path);
  // The order of keys may differ.
  if (before !== undefined && (before === text || isSameJson(tryParseJson(before), golden)))
    return 'unchanged';
  try {
    if (isS3Url(path)) await writeObject(path, text);
    else writeFileAtomically(path, text, { mode: (await stat(capture)).mode & 0o777 });
  } catch (error) {
    const reason = error instanceof S3Error ? error.message : fileErrorReason(error);
    throw new GoldenError(`${path}: could not be written: ${reason}`, { cause: error });
  }
  return before === undefined ? 'new' : 'changed';
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    // At once: with many small files, a promise takes longer than the reading.
    return isS3Url(path) ? await readObjectText(path) : readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || (error instanceof S3Error && error.isMissing)) return undefined;
    throw new GoldenError(`${path}: ${readErrorReason(error)}`, { cause: error });
  }
}
