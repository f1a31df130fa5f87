import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pluralize } from '#shared/formatText.ts';
import { bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { capturesBefore } from '../engine/continuedEngine.ts';
import { isS3Url } from '../read/s3.ts';
import { type CodeTable, compileCode, unitOfKey } from './compileCode.ts';
import { filesOf, isUnchanged } from './fileStamp.ts';
import {
  INDEX_FOLDER,
  type IndexEntry,
  type OpenIndex,
  decodeSet,
  findEntry,
  openIndexes,
} from './indexFile.ts';
import {
  type Environment,
  type IndexedApp,
  changedSinceBuild,
  environmentOf,
  indexedApp,
} from './indexedApp.ts';
import { changedPackages, revisionTable } from './revisionTable.ts';

/** A unit whose code differs between two tables. */
export interface ChangedUnit {
  readonly key: string;
  /** The line in the working tree; for a unit that it does not have, that in the revision. */
  readonly line: number;
  readonly change: 'changed' | 'added' | 'removed';
}

/** Returns the units that differ, in the order of the files and lines. */
export function changedUnits(before: CodeTable, after: CodeTable): ChangedUnit[] {
  const keys = new Set([...Object.keys(before.units), ...Object.keys(after.units)]);
  const changed = [...keys].flatMap((key): ChangedUnit[] => {
    const [old, now] = [before.units[key], after.units[key]];
    if (old?.hash === now?.hash) return [];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ key, line: (now ?? old)?.line ?? 1, change }];
  });
  const fileOf = ({ key }: ChangedUnit) => unitOfKey(key).file;
  return changed.sort((a, b) => (fileOf(a) < fileOf(b) ? -1 : fileOf(a) > fileOf(b) ? 1 : a.line - b.line));
}

/** Names a unit in messages. */
export const unitName = (key: string): string => unitOfKey(key).name || 'top level';

interface SelectionOptions {
  readonly revision: string;
  /** The adapter of another app, as the user wrote it. */
  readonly adapter: string | undefined;
  /** The first argument: its index keeps the code of the revision. */
  readonly given: string;
}

/** What differs between a revision and the working tree. */
interface CodeDifference {
  /** The code of the working tree, and that of the revision if it can be compiled. */
  readonly tables: readonly CodeTable[];
  readonly units: readonly ChangedUnit[];
  /** What affects all captures, each in a few words. */
  readonly everything: readonly string[];
  readonly environment: Environment;
}

/** Compares the code of a revision with the working tree. @param cache the folder for the code of revisions. */
async function compareCode(app: IndexedApp, revision: string, cache?: string): Promise<CodeDifference> {
  const { table: tree } = await compileCode(app.sources, 'esm').catch((error: unknown) => {
    throw new UsageError(`the working tree cannot be compiled: ${bundleProblem(error)}`, { cause: error });
  });
  const everything: string[] = [];
  const old = await revisionTable(app, { revision, cache }).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    everything.push(`the code of ${revision} cannot be compiled: ${bundleProblem(error)}`);
    return undefined;
  });
  const unbuilt = changedSinceBuild(app, tree);
  if (unbuilt !== undefined) everything.push(`${unbuilt} has changed since the build; run npm run build`);
  if (old !== undefined && old.tool !== tree.tool)
    everything.push('the replay tool differs, or a file that the code imports and that is no code');
  const packages = await changedPackages(app.sources, { revision, packages: tree.packages });
  everything.push(...packages.map((one) => `a dependency differs: ${one}`));
  const tables = [tree, ...(old ? [old] : [])];
  return {
    tables,
    units: old ? changedUnits(old, tree) : [],
    everything,
    environment: environmentOf(app, tree),
  };
}

/** How many captures run, for each reason: the end of a sentence that begins with the number. */
type Reasons = Map<string, number>;

/**
 * Selects the captures that the difference between a revision and the working tree can affect. A capture is omitted only when its replay is the same in
 * both: its verification was fine when it was indexed, its files have not changed since then, and neither has any code that it reached.
 * @throws {UsageError} when there is no such revision, or the app cannot be compiled.
 */
export async function selectCaptures({ revision, adapter, given }: SelectionOptions) {
  const app = await indexedApp(adapter);
  const indexOf = indexFinder(app.key);
  const home = isS3Url(given) ? undefined : indexOf(resolve(given));
  const difference = await compareCode(app, revision, home && join(home.folder, INDEX_FOLDER, app.key));
  const { units, everything } = difference;
  const counts = { all: 0, omitted: 0 };
  const reasons: Reasons = new Map();
  /** The number of captures that reach each changed unit. */
  const reached = new Map(units.map(({ key }) => [key, 0]));
  const reasonOf = reasonFinder(difference, { indexOf, reached });
  return {
    /** Yields the captures to verify. */
    async *affected(captures: AsyncIterable<string>): AsyncGenerator<string, void> {
      for await (const path of captures) {
        counts.all++;
        const reason = everything[0] ?? reasonOf(path);
        if (reason === undefined) counts.omitted++;
        else {
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          yield path;
        }
      }
    },
    omitted: () => counts.omitted,
    /** Describes the selection so far, in lines. */
    describe(isExplained: boolean): string[] {
      const run = numeral(counts.all - counts.omitted);
      const summary = `${run} of ${numeral(counts.all)} captures are affected by the difference between ${revision} and the working tree`;
      const [change = changesText(units), ...others] = everything;
      if (!isExplained) return [`${summary} (${change}); --explain says why`];
      return [
        `${summary}: ${change}`,
        ...others.map((one) => `  ${one}`),
        ...unitLines(units, reached),
        ...[...reasons].map(([reason, count]) => `  ${numeral(count)} ${reason}`),
        `  ${numeral(counts.omitted)} omitted`,
      ];
    },
  };
}

interface Found {
  readonly indexOf: ReturnType<typeof indexFinder>;
  readonly reached: Map<string, number>;
}

/** Returns a function that returns why a capture runs; `undefined` when it is omitted. */
function reasonFinder({ tables, environment }: CodeDifference, { indexOf, reached }: Found) {
  const isCurrent = memoized(
    ({ header }: OpenIndex) => canonicalJson(header.environment) === canonicalJson(environment),
  );
  const setsOf = memoized((index: OpenIndex) => setReader(index, tables));
  return (path: string): string | undefined => {
    if (isS3Url(path)) return 'are in a store, which has no index';
    if (capturesBefore(path).length > 0) return 'follow another capture';
    const home = indexOf(dirname(resolve(path)));
    const found = home && findEntry(home.indexes, relative(home.folder, resolve(path)).replaceAll(sep, '/'));
    if (found === undefined) return 'have no entry in an index: they are new, or could not be indexed';
    const { index, entry } = found;
    if (!isCurrent(index))
      return 'are in an index of another version of the tool, Node or packages; run `index` again';
    if (!hasSameFiles(path, entry)) return 'have changed since they were indexed, or their goldens';
    const changed = setsOf(index)(entry.set);
    for (const key of changed ?? []) if (reached.has(key)) reached.set(key, (reached.get(key) ?? 0) + 1);
    if (changed?.some((key) => reached.has(key))) return 'reach code that differs';
    if (changed?.length !== 0)
      return 'reach code that has changed since they were indexed; run `index` again';
    return entry.isSame ? undefined : 'did not match their goldens when they were indexed';
  };
}

/** Returns a function that finds the folder with an index around a path, and opens it. */
function indexFinder(key: string) {
  const find = memoized(
    (path: string): { readonly folder: string; readonly indexes: OpenIndex[] } | undefined => {
      if (existsSync(join(path, INDEX_FOLDER))) return { folder: path, indexes: openIndexes(path, key) };
      const parent = dirname(path);
      return parent === path ? undefined : find(parent);
    },
  );
  return find;
}

function memoized<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>();
  return (key) => {
    const result = known.get(key) ?? { value: compute(key) };
    known.set(key, result);
    return result.value;
  };
}

/** Returns a function that returns which units of a set differ from those of one of the tables; `undefined` for a set that the index lacks. */
function setReader({ header: { units, sets } }: OpenIndex, tables: readonly CodeTable[]) {
  const differing = units.map(([key, hash]) =>
    tables.every((table) => table.units[key]?.hash === hash) ? [] : [key],
  );
  return memoized((set: number) => {
    const text = sets[set];
    return text === undefined ? undefined : decodeSet(text).flatMap((number) => differing[number] ?? []);
  });
}

function hasSameFiles(path: string, { capture, golden }: IndexEntry): boolean {
  const [first, second] = filesOf(path);
  const now = Date.now();
  return isUnchanged(first, capture, now) && isUnchanged(second, golden, now);
}

function changesText(units: readonly ChangedUnit[]): string {
  if (units.length === 0) return 'no compiled code differs';
  const files = new Set(units.map(({ key }) => unitOfKey(key).file));
  const one = units.length === 1 ? 'differs' : 'differ';
  return `${pluralize(units.length, 'part')} of the code in ${pluralize(files.size, 'file')} ${one}`;
}

/** Each unit, and the number of captures that reach it. */
const unitLines = (units: readonly ChangedUnit[], selected: ReadonlyMap<string, number>): string[] =>
  units.map(({ key, line, change }) => {
    const { file } = unitOfKey(key);
    const count = change === 'added' ? '' : `: ${pluralize(selected.get(key) ?? 0, 'capture')}`;
    return `  ${file}:${line} ${unitName(key)} (${change})${count}`;
  });

const numeral = (count: number): string => count.toLocaleString('en');
