import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { Script } from 'node:vm';
import { checkAdapter, replayedApp } from '../adapter/checkAdapter.ts';
import type { ResultRecord } from '../verify/resultRecord.ts';
import { verifyCapture } from '../verify/verifyCapture.ts';
import type { StoppedResult } from '../workers/workerSlot.ts';
import { MARKS } from './compileCode.ts';
import { type FileStamp, fileStamp, filesOf } from './fileStamp.ts';
import { encodeSet } from './indexFile.ts';

/** The data of a worker. Plain data. */
export interface IndexWorkerData {
  /** The file of a `MarkedScript`. */
  readonly file: string;
  /** The entry, from which its imports are resolved. */
  readonly entry: string;
  /** The number of units. */
  readonly units: number;
  /** Whether the script is an adapter; otherwise it verifies by itself. */
  readonly isAdapter: boolean;
}

/** What was found out about a capture. Plain data: it comes from a worker. */
export interface IndexedCapture extends Omit<StoppedResult, 'outcome' | 'problem'> {
  readonly outcome: 'indexed' | 'unusable';
  readonly isSame: boolean;
  /** The stamps of the capture and its golden; missing when a file is missing, or changed in between. */
  readonly stamps?: readonly [FileStamp, FileStamp];
  /** The set of units that it reaches. */
  readonly reached: string;
  readonly problem?: string;
}

/** The most results that are kept for captures with the same content. */
const MOST_KNOWN = 10_000;

type Verify = (capture: string) => Promise<ResultRecord>;

/**
 * Returns a function that verifies a capture and finds the units that it reaches. All modules, also those of packages, are new for each capture: one that
 * an earlier capture has filled, such as a cache, would hide what this one reaches.
 */
export function captureIndexer({ file, entry, units, isAdapter }: IndexWorkerData) {
  const text = readFileSync(file, 'utf8');
  const script = new Script(`(function(exports,require,module,__filename,__dirname,${MARKS}){${text}\n})`, {
    filename: file,
  });
  const load = (marks: Uint8Array): Verify => {
    const module = { exports: {} };
    const run: unknown = script.runInThisContext();
    if (typeof run !== 'function') throw new TypeError('a script is a function');
    run(module.exports, createRequire(entry), module, entry, dirname(entry), marks);
    // It is the module of Parley's entry.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (!isAdapter) return (module.exports as { readonly verify: Verify }).verify;
    const replayed = replayedApp(checkAdapter(module.exports));
    return (capture) => verifyCapture(capture, replayed);
  };
  /** Captures with the same content have the same result. */
  const known = new Map<string, Pick<IndexedCapture, 'isSame' | 'reached'>>();
  return async (capture: string): Promise<IndexedCapture> => {
    const before = stampsOf(capture, Date.now());
    const content = before && [extname(capture), ...before.map(({ hash }) => hash)].join();
    const same = content === undefined ? undefined : known.get(content);
    if (same !== undefined && before !== undefined)
      return { capture, ms: 0, warnings: [], outcome: 'indexed', stamps: before, ...same };
    const marks = new Uint8Array(units);
    const { ms, warnings, outcome, problem } = await load(marks)(capture);
    const found = { isSame: outcome === 'same', reached: encodeSet(numbersOf(marks), units) };
    const after = stampsOf(capture, Date.now());
    if (outcome === 'unusable')
      return { capture, ms, warnings, outcome, ...found, ...(problem && { problem }) };
    const isSteady = before?.every(({ hash }, i) => after?.[i]?.hash === hash);
    if (!isSteady) return { capture, ms, warnings, outcome: 'indexed', ...found };
    if (known.size >= MOST_KNOWN) known.clear();
    if (content !== undefined) known.set(content, found);
    return { capture, ms, warnings, outcome: 'indexed', ...found, ...(before && { stamps: before }) };
  };
}

function stampsOf(capture: string, now: number): readonly [FileStamp, FileStamp] | undefined {
  const [first, second] = filesOf(capture).map((path) => fileStamp(path, now));
  return first && second ? [first, second] : undefined;
}

function* numbersOf(marks: Uint8Array): Generator<number, void> {
  for (const [number, mark] of marks.entries()) if (mark === 1) yield number;
}
