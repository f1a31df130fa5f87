import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { pluralize } from '#shared/formatText.ts';
import { bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { capturesBefore } from '../engine/continuedEngine.ts';
import { walkCaptures } from '../read/findCaptures.ts';
import { type Shard, isInShard } from '../verify/resultsFile.ts';
import { type WorkerLimits, runInWorkers } from '../workers/runInWorkers.ts';
import { type CodeTable, type MarkedScript, compileCode, unitOfKey } from './compileCode.ts';
import { type FileStamp, fileStat, filesOf, isUnchanged } from './fileStamp.ts';
import { type IndexWorkerData, type IndexedCapture, captureIndexer } from './indexCapture.ts';
import {
  type IndexEntry,
  type IndexHeader,
  decodeSet,
  encodeSet,
  indexPath,
  openIndexes,
  writeIndex,
} from './indexFile.ts';
import { type Environment, type IndexedApp, environmentOf } from './indexedApp.ts';

/** The code that an index is about. */
export interface IndexedCode {
  readonly app: IndexedApp;
  readonly table: CodeTable;
  readonly environment: Environment;
  readonly script: MarkedScript;
}

/** Compiles the app's code as it is. @throws {UsageError} when that is not possible. */
export async function compileApp(app: IndexedApp): Promise<IndexedCode> {
  // An adapter that waits when it is loaded is no script.
  const { table, script } = await compileCode(app.sources, 'cjs').catch((error: unknown) => {
    const name = app.adapter === undefined ? '' : `--app ${app.adapter}: `;
    throw new UsageError(`${name}cannot be indexed: ${bundleProblem(error)}`, { cause: error });
  });
  return { app, table, environment: environmentOf(app, table), script };
}

interface BuildOptions extends WorkerLimits {
  /** A folder of captures. */
  readonly folder: string;
  readonly shard: Shard;
  readonly signal: AbortSignal;
}

/**
 * Brings the index of a folder up to date: replays the captures that are new or changed, and those that reach code that has changed. After a signal, the
 * index contains what has been found so far.
 */
export async function buildIndex(output: Output, code: IndexedCode, options: BuildOptions) {
  const { folder, shard, signal, ...limits } = options;
  const { app, environment } = code;
  const progress = createProgress(output, systemClock(globalThis), 'indexing');
  const sets = createSets(code);
  const entries: IndexEntry[] = [];
  const problems: string[] = [];
  const kept = keptEntries(code, { folder, shard, sets });
  const counts = { captures: 0, replayed: 0 };
  const names = new Map<string, string>();
  const changed = async function* () {
    for await (const { path, name } of walkCaptures([folder])) {
      if (!isInShard(name, shard)) continue;
      progress.show(pluralize(++counts.captures, 'capture'));
      const entry = kept(path, name);
      if (entry !== undefined) entries.push(entry);
      // One that follows others depends on them too, and always runs.
      else if (capturesBefore(path).length === 0) {
        names.set(path, name);
        yield path;
      }
    }
  };
  for await (const result of indexInWorkers(changed(), code, { ...limits, signal })) {
    const { capture, outcome, problem } = result;
    counts.replayed++;
    if (problem !== undefined) problems.push(problem);
    if (outcome !== 'indexed' || result.stamps === undefined) continue;
    const [stamp, golden] = result.stamps;
    const name = names.get(capture) ?? capture;
    names.delete(capture);
    entries.push({ name, capture: stamp, golden, isSame: result.isSame, set: sets.ofMarks(result.reached) });
  }
  progress.end();
  const header = { format: 'parley-index', version: 1, environment, ...sets.header() } as const;
  await writeIndex(indexPath(folder, app.key, shard), header, entries);
  return { folder, ...counts, indexed: entries.length, problems };
}

const WORKER_FILE = join(import.meta.dirname, 'indexWorker.js');

async function* indexInWorkers(
  captures: AsyncIterable<string>,
  { app, script }: IndexedCode,
  options: WorkerLimits & Pick<BuildOptions, 'signal'>,
) {
  const { folder, remove } = createTemporaryFolder('parley-index-');
  const { entry } = app.sources;
  const file = join(folder, 'replay.cjs');
  writeFileSync(file, script.text);
  const isAdapter = app.adapter !== undefined;
  const data: IndexWorkerData = { file, entry, units: script.keys.length, isAdapter };
  try {
    if (existsSync(WORKER_FILE)) {
      yield* runInWorkers<IndexedCapture>(captures, { workerFile: WORKER_FILE, data, ...options });
      return;
    }
    // This code runs from its source, so there is no bundle for a worker.
    const index = captureIndexer(data);
    for await (const capture of captures) {
      if (options.signal.aborted) return;
      yield await index(capture);
    }
  } finally {
    remove();
  }
}

type Sets = ReturnType<typeof createSets>;

/** Creates the table of units of an index, and the sets of them that captures reach. Each capture reaches the top levels. */
function createSets({ table, script }: IndexedCode) {
  const keys = Object.keys(table.units);
  const numberOf = new Map(keys.map((key, number) => [key, number]));
  const tops = keys.filter((key) => unitOfKey(key).name === '');
  const sets = new Map<string, number>();
  const known = new Map<string, number>();
  const add = (reached: readonly string[]): number => {
    const numbers = [...reached, ...tops].flatMap((key) => numberOf.get(key) ?? []);
    const text = encodeSet(numbers, keys.length);
    const set = sets.get(text) ?? sets.size;
    sets.set(text, set);
    return set;
  };
  return {
    add,
    /** Returns the set of the units that a script marked. */
    ofMarks(marks: string): number {
      const set = known.get(marks) ?? add(decodeSet(marks).flatMap((number) => script.keys[number] ?? []));
      known.set(marks, set);
      return set;
    },
    header: () => ({
      units: keys.map((key): [string, string] => [key, table.units[key]?.hash ?? '']),
      sets: [...sets.keys()],
    }),
  };
}

/** Returns a function that returns a capture's entry of the index so far, if its replay now would be the same. */
function keptEntries(
  { app, table, environment }: IndexedCode,
  { folder, shard, sets }: Pick<BuildOptions, 'folder' | 'shard'> & { readonly sets: Sets },
) {
  const index = openIndexes(folder, app.key).find(
    (one) =>
      one.shard.of === shard.of &&
      one.shard.index === shard.index &&
      canonicalJson(one.header.environment) === canonicalJson(environment),
  );
  const renumbered = new Map<number, number | undefined>();
  const setOf = ({ units, sets: old }: IndexHeader, set: number): number | undefined => {
    if (renumbered.has(set)) return renumbered.get(set);
    const reached = decodeSet(old[set] ?? '').map((number) => units[number] ?? (['', ''] as const));
    const isValid = reached.every(([key, hash]) => table.units[key]?.hash === hash);
    const result = isValid && reached.length > 0 ? sets.add(reached.map(([key]) => key)) : undefined;
    renumbered.set(set, result);
    return result;
  };
  return (path: string, name: string): IndexEntry | undefined => {
    const entry = index?.find(name);
    const set = index && entry && setOf(index.header, entry.set);
    if (entry === undefined || set === undefined) return undefined;
    const [first, second] = filesOf(path);
    const capture = keptStamp(first, entry.capture);
    const golden = capture && keptStamp(second, entry.golden);
    return capture && golden && { ...entry, capture, golden, set };
  };
}

/** Returns the stamp of a file if its content is the same; that of a file that was too young is complete now. */
function keptStamp(path: string, stamp: FileStamp): FileStamp | undefined {
  const now = Date.now();
  if (!isUnchanged(path, stamp, now)) return undefined;
  return { stat: fileStat(path, now) ?? '', hash: stamp.hash };
}

/** Returns a folder of captures for an index. @throws {UsageError} for anything else. */
export function folderOf(given: string): string {
  if (existsSync(resolve(given))) return given;
  throw new UsageError(`${given}: is not a folder; an index is about a folder of captures on a disk`);
}
