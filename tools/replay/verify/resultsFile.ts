import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { tryParseJson } from '#shared/json.ts';
import { field, jsonDocument, jsonLine, jsonRow, optional } from '../base/jsonDocument.ts';
import { UsageError } from '../base/errors.ts';
import { untilAborted } from '../base/interruption.ts';
import { fileStream } from '#node/fileStream.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { recordSchema } from './resultRecord.ts';
import { pluralize } from '#shared/formatText.ts';

/**
 * The format of NDJSON reports: a header, a line for each capture, the end of the run. A file may contain several reports, one after the
 * other. A line that is not complete, because its writer was killed, is skipped.
 */
const FORMAT = { format: 'parley-results', version: 1 } as const;

const HEADER_START = `{"format":"${FORMAT.format}",`;

const count = z.int().min(0);
const ENDS = ['complete', 'error', 'max-failures', 'SIGINT', 'SIGTERM'] as const;

/** The end of a run, and its counts by outcome. */
const END = {
  end: field.choice(ENDS, '`complete` when all captures were replayed, or what stopped the run'),
  interrupted: field.flag('whether a signal ended the run'),
  captures: count.describe('the number of results, which the next fields count by outcome'),
  same: count,
  written: count,
  differs: count,
  stopped: count,
  unusable: count,
  known: count.describe('the failures whose signature `--known` lists'),
  omitted: optional.number('with `--changed`, the captures that were not replayed: no change affects them'),
  seconds: field.number('the duration of the run; of `verify merge`, of all replays'),
  groups: field.list('the failures by signature', {
    signature: z.string(),
    count: count.describe('the number of captures that fail with it'),
    known: field.flag('whether `--known` lists it'),
    example: field.text('the first of the captures, whose result has the difference'),
  }),
};

const ALL = 'the result of each capture; of `verify merge`, only those that are not as expected';

export const reportSchema = jsonDocument('verify, compare, verify merge', 'the results of all captures', {
  results: field.list(ALL, recordSchema.shape),
  ...END,
});

/** The first line of an NDJSON report. */
const headerSchema = jsonRow('--reporter ndjson: the first line', 'what was run', {
  format: z.literal(FORMAT.format),
  version: z.literal(FORMAT.version).describe('the version of the shape of all lines'),
  command: field.text('`verify`, `compare` or `merge`'),
  options: optional.text('the options on which the results depend'),
  shard: optional.object('the part of `--shard`', { index: z.int().min(1), of: z.int().min(1) }),
  app: optional.text('the adapter of `--app`'),
  base: optional.text('the revision of `--base`'),
});

jsonRow('--reporter ndjson: each capture', 'one line for each result', recordSchema.shape);

/** The last line of an NDJSON report. */
export const endSchema = jsonRow('--reporter ndjson: the last line', 'the end of the run', END);

type Header = z.infer<typeof headerSchema>;
type Run = Pick<Header, 'command' | 'options' | 'shard'>;

/** One of several parts, numbered from 1. */
export type Shard = NonNullable<Run['shard']>;

/** All captures. */
export const WHOLE: Shard = { index: 1, of: 1 };

/** Returns the first line of a report. */
export const headerOf = (about: Omit<Header, keyof typeof FORMAT>): string =>
  jsonLine(headerSchema, { ...FORMAT, ...about });

/** Returns the command of a report, with the options on which its results depend. */
export const runText = ({ command, options = '', shard }: Run): string =>
  [command, options, shard && `--shard ${shard.index}/${shard.of}`].filter(Boolean).join(' ');

/** Why a run ended: all captures were verified, or what stopped it. */
export type RunEnd = (typeof ENDS)[number];

const STOPPED_BY: Readonly<Record<Exclude<RunEnd, 'complete'>, string>> = {
  error: 'stopped by an error',
  'max-failures': 'stopped by --max-failures',
  SIGINT: 'interrupted by SIGINT',
  SIGTERM: 'interrupted by SIGTERM',
};

/** Returns in words what stopped a run; `undefined` when nothing did. */
export const describeEnd = (end: RunEnd): string | undefined =>
  end === 'complete' ? undefined : `${STOPPED_BY[end]}: these are the results so far`;

/** One line of a file of results. */
const lineSchema = z.union([
  recordSchema,
  endSchema.pick({ end: true, captures: true }).partial({ captures: true }),
  headerSchema,
]);

/**
 * Reads a file of results line by line, up to its size at the start: it may be the file to which this process writes. `-` is stdin.
 * @throws {UsageError} when it cannot be read, or is not a file of results.
 */
export async function* readResults(given: string): AsyncGenerator<z.infer<typeof lineSchema>, void> {
  const path = captureName(given);
  let isFirst = true;
  try {
    const input = given === STDIN ? process.stdin : await openWithSize(given);
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      if (text === '') continue;
      // After a line that is not complete, the header of the next report follows on the same line.
      const line = parseLine(text) ?? parseLine(text.slice(text.lastIndexOf(HEADER_START)));
      const isBeginning = HEADER_START.startsWith(text) || (line !== undefined && 'format' in line);
      if (isFirst && !isBeginning) throw new UsageError(`${path}: is not a report of --reporter ndjson`);
      isFirst = false;
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
  return file.size === 0 ? Readable.from([]) : createReadStream(path, { end: file.size - 1 });
}

const parseLine = (text: string) => lineSchema.safeParse(tryParseJson(text)).data;

/** Parses `i/n`, for commander. */
export const parseShard = (text: string): Shard =>
  shardFrom(1, text, '--shard takes i/n, such as 1/3: the first of three parts');

/** Parses `i/n` with `i` from 0, for commander: Kubernetes numbers the pods of a job so. */
export const parseShardIndex = (text: string): Shard =>
  shardFrom(0, text, '--shard-index takes i/n with i from 0, such as 0/3: the first of three parts');

function shardFrom(first: 0 | 1, text: string, usage: string): Shard {
  const [, number = Number.NaN, of = 0] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  const index = number - first + 1;
  if (index >= 1 && index <= of) return { index, of };
  throw new UsageError(usage);
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

/**
 * Describes what the reports of one shard contain. `results`: the number of lines with a result. `captures`: the most captures that one of the reports
 * has counted, with those of the reports that it resumed.
 */
const newPart = () => ({ isComplete: false, results: 0, captures: 0 });

type Part = ReturnType<typeof newPart>;

/**
 * Yields the newest result of each capture in several reports: later files are newer. Adds to `problems` what is missing, each in one line. A shard is
 * complete when one of its reports is: a resumed run contains what the runs before lack.
 * @throws {UsageError} when one of them is not a report.
 */
export async function* mergeReports(files: readonly string[], signal: AbortSignal, problems: string[]) {
  const parts = new Map<string, Part>();
  const commands = new Set<string>();
  const done = new Set<string>();
  for (const file of files.toReversed()) {
    let part: Part | undefined;
    for await (const line of untilAborted(readResults(file), signal)) {
      if (signal.aborted) return;
      if ('format' in line) {
        const { index, of } = line.shard ?? WHOLE;
        commands.add(runText({ ...line, shard: undefined }));
        part = parts.get(`${index}/${of}`) ?? newPart();
        parts.set(`${index}/${of}`, part);
      } else if (part === undefined) continue;
      else if ('end' in line) {
        part.isComplete ||= line.end === 'complete';
        part.captures = Math.max(part.captures, line.captures ?? 0);
      } else {
        part.results++;
        if (!done.has(line.capture)) yield line;
        done.add(line.capture);
      }
    }
    if (signal.aborted) return;
    if (part === undefined) throw new UsageError(`${captureName(file)}: is empty`);
  }
  problems.push(...problemsOf(parts, [...commands]));
}

function problemsOf(parts: ReadonlyMap<string, Part>, commands: readonly string[]): string[] {
  if (commands.length > 1) return [`the reports are of different commands: ${commands.join(', ')}`];
  const counts = [...new Set([...parts.keys()].map((shard) => shard.split('/')[1]))];
  if (counts.length > 1) return [`the reports are of different numbers of shards: ${counts.join(', ')}`];
  return Array.from({ length: Number(counts[0]) }, (_, i) => {
    const shard = `${i + 1}/${counts[0]}`;
    const name = shard === '1/1' ? 'the run' : `shard ${shard}`;
    const found = parts.get(shard);
    if (found === undefined) return [`${name} is missing`];
    if (!found.isComplete) return [`${name} is incomplete; run it again with --resume`];
    const lost = found.captures - found.results;
    if (lost <= 0) return [];
    return [`${name} lacks the results of ${pluralize(lost, 'capture')}; run it again with --resume`];
  }).flat();
}
