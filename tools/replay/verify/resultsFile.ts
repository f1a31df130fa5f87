import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { tryParseJson } from '#shared/json.ts';
import { UsageError } from '../base/errors.ts';
import { fileStream } from '#node/fileStream.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { type ResultRecord, recordSchema } from './resultRecord.ts';
import { pluralize } from '#shared/formatText.ts';

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

/** One of several parts, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Parses `i/n`, for commander. */
export function parseShard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new UsageError('--shard takes i/n, such as 1/3: the first of three parts');
  }
  return { index, of };
}

/** Parses `i/n` with `i` from 0, for commander: Kubernetes numbers the pods of a job so. */
export function parseShardIndex(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index >= of) {
    throw new UsageError('--shard-index takes i/n with i from 0, such as 0/3: the first of three parts');
  }
  return { index: index + 1, of };
}

/**
 * Returns whether a capture belongs to a shard. Depends only on the capture's name, so it is the same on every machine, whatever other
 * captures there are: 32 bits of FNV-1a over the name's UTF-8, mixed as in MurmurHash3, modulo the number of shards.
 */
export const isInShard = (name: string, { index, of }: Shard): boolean => hashName(name) % of === index - 1;

const encoder = new TextEncoder();

function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** What the reports of one shard contain. */
interface Part {
  readonly shard: Shard;
  isComplete: boolean;
  /** The number of lines with a result. */
  results: number;
  /** The most captures that one of the reports has counted, with those of the reports that it resumed. */
  captures: number;
}

/** Checks that reports are complete together. A shard is complete when one of its reports is: a resumed run contains what the runs before lack. */
export function shardCoverage() {
  const parts = new Map<string, Part>();
  const commands = new Set<string>();
  let last: Part | undefined;
  return {
    /** A report begins. */
    begin({ command, options, shard = { index: 1, of: 1 } }: Parameters<typeof runText>[0]): void {
      commands.add(runText({ command, options, shard: undefined }));
      const key = `${shard.index}/${shard.of}`;
      last = parts.get(key) ?? { shard, isComplete: false, results: 0, captures: 0 };
      parts.set(key, last);
    },
    /** The report that began last has a result. */
    add(): void {
      if (last !== undefined) last.results++;
    },
    /** The report that began last has ended, with the number of its captures. */
    end(end: RunEnd, captures = 0): void {
      if (last === undefined) return;
      if (end === 'complete') last.isComplete = true;
      last.captures = Math.max(last.captures, captures);
    },
    /** Returns what is missing, each in one line; empty when the reports are complete. */
    problems(): string[] {
      if (commands.size > 1) return [`the reports are of different commands: ${[...commands].join(', ')}`];
      const all = [...parts.values()];
      const counts = [...new Set(all.map(({ shard }) => shard.of))];
      const [of = 1] = counts;
      if (counts.length > 1) return [`the reports are of different numbers of shards: ${counts.join(', ')}`];
      return Array.from({ length: of }, (_, i) => problemOf(i + 1, of, parts.get(`${i + 1}/${of}`))).flat();
    },
  };
}

function problemOf(index: number, of: number, found: Part | undefined): string[] {
  const name = of === 1 ? 'the run' : `shard ${index}/${of}`;
  if (found === undefined) return [`${name} is missing`];
  if (!found.isComplete) return [`${name} is incomplete; run it again with --resume`];
  const lost = found.captures - found.results;
  return lost > 0
    ? [`${name} lacks the results of ${pluralize(lost, 'capture')}; run it again with --resume`]
    : [];
}
