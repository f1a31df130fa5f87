import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { UsageError } from '../base/errors.ts';
import { fileStream } from '#files/fileStream.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { type ResultRecord, recordSchema } from './resultRecord.ts';

/**
 * The format of NDJSON reports: a header, a line for each capture, the end of the run. A file may contain several reports, one after the
 * other. A line that is not complete, because its writer was killed, is skipped.
 */
export const RESULTS_FORMAT = 'parley-results';
export const RESULTS_VERSION = 1;

const headerSchema = z.object({
  format: z.literal(RESULTS_FORMAT),
  version: z.literal(RESULTS_VERSION),
  command: z.string(),
  options: z.string().optional(),
  shard: z.object({ index: z.int().min(1), of: z.int().min(1) }).optional(),
  /** The adapter of another app, and the revision that was expected: for the commands that a merged report prints. */
  app: z.string().optional(),
  base: z.string().optional(),
});

const HEADER_START = `{"format":"${RESULTS_FORMAT}",`;

const runEndSchema = z.enum(['complete', 'error', 'max-failures', 'SIGINT', 'SIGTERM']);
const endSchema = z.object({ end: runEndSchema, captures: z.int().min(0).optional() });

type ResultsHeader = z.infer<typeof headerSchema>;

/** Returns the command of a report, with the options on which its results depend. */
export const runText = ({
  command,
  options = '',
  shard,
}: Pick<ResultsHeader, 'command' | 'options' | 'shard'>): string =>
  [command, options, shard && `--shard ${shard.index}/${shard.of}`].filter(Boolean).join(' ');

/** Why a run ended: all captures were verified, or what stopped it. */
export type RunEnd = z.infer<typeof runEndSchema>;

/** One line of a file of results. */
type ResultsLine =
  | { readonly type: 'header'; readonly header: ResultsHeader }
  | { readonly type: 'result'; readonly record: ResultRecord }
  | { readonly type: 'end'; readonly end: RunEnd; readonly captures: number | undefined };

/**
 * Reads a file of results line by line, up to its size at the start: it may be the file to which this process writes. `-` is stdin.
 * @throws {UsageError} when it cannot be read, or is not a file of results.
 */
export async function* readResults(given: string): AsyncGenerator<ResultsLine, void> {
  const path = captureName(given);
  let count = 0;
  try {
    const input = given === STDIN ? process.stdin : await openWithSize(given);
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      if (text === '') continue;
      // After a line that is not complete, the header of the next report follows on the same line.
      const line = parseLine(text) ?? parseLine(text.slice(text.lastIndexOf(HEADER_START)));
      if (count === 0 && line?.type !== 'header' && !HEADER_START.startsWith(text))
        throw new UsageError(`${path}: is not a report of --reporter ndjson`);
      count++;
      if (line !== undefined) yield line;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${readErrorReason(error)}`, { cause: error });
  }
}

async function openWithSize(path: string): Promise<Readable> {
  const file = await stat(path);
  if (!file.isFile()) return fileStream(path);
  const { size } = file;
  return size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 });
}

function parseLine(text: string): ResultsLine | undefined {
  const value = tryParseJson(text);
  const record = recordSchema.safeParse(value);
  if (record.success) return { type: 'result', record: record.data };
  const end = endSchema.safeParse(value);
  if (end.success) return { type: 'end', end: end.data.end, captures: end.data.captures };
  const header = headerSchema.safeParse(value);
  return header.success ? { type: 'header', header: header.data } : undefined;
}
