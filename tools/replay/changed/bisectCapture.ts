import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { CHECKOUT, bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { git, resolveCommit } from '../compare/addWorktree.ts';
import { addAdapterTree, addCodeTree } from '../compare/compareCaptures.ts';
import type { OwnApp, Replayed } from '../engine/sessionAdapter.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';
import { goldenText } from '../golden/golden.ts';
import {
  FoldError,
  type RecordedGolden,
  orThrown,
  recordGolden,
  stateBeforeStep,
} from '../golden/traceCapture.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { frozenAdapter } from '../verify/findCause.ts';
import { thrownError } from '../workers/thrownError.ts';
import { type CodeTable, MARKS, compileCode, unitOfKey } from './compileCode.ts';
import { changedUnits, unitName } from './selectCaptures.ts';

/** What is bisected. */
export interface Bisected {
  readonly capture: string;
  readonly good: string;
  readonly bad: string;
  /** The adapter of another app, as the user wrote it. */
  readonly adapter: string | undefined;
  readonly own: OwnApp;
  /** The repository without an adapter; this checkout by default. */
  readonly repository?: string | undefined;
  /** Is called with the number of revisions that have been replayed, and the most that are left. */
  readonly onTested?: (tested: number, left: number) => void;
}

/** The replay of the capture with the code of a revision. */
interface Tested {
  readonly replayed: Replayed;
  readonly got: RecordedGolden | FoldError;
  /** What two replays with the same result have in common. */
  readonly result: string;
  readonly table: CodeTable;
  /** The keys of the units that it reached. */
  readonly reached: ReadonlySet<string>;
}

/** A revision that cannot be replayed. */
interface Skipped {
  readonly skipped: string;
}

/**
 * Finds the first revision between two at which the replay of a capture has another result than at the good one, by binary search along the first
 * parents. A revision whose code cannot be replayed is skipped; its neighbours are tried.
 * @throws {UsageError} when the good one is not before the bad one, one of them cannot be replayed, or both have the same result.
 */
export async function bisectCapture(options: Bisected) {
  const { good, bad, adapter, onTested } = options;
  const folder = adapter === undefined ? (options.repository ?? CHECKOUT) : dirname(resolve(adapter));
  const [first, last] = [
    await resolveCommit(folder, good, '--good'),
    await resolveCommit(folder, bad, '--bad'),
  ];
  const isBefore = await git(folder, 'merge-base', '--is-ancestor', first, last).then(
    () => first !== last,
    () => false,
  );
  if (!isBefore)
    throw new UsageError(`--good ${good} is not before --bad ${bad}; name an older revision with --good`);
  const listed = await git(folder, 'rev-list', '--first-parent', '--reverse', `${first}..${last}`);
  const commits = [first, ...listed.split('\n')];
  const results = new Map<number, Tested | Skipped>();
  const test = async (index: number) => {
    const result = await testRevision(commits[index] ?? '', options);
    results.set(index, result);
    return result;
  };
  const base = required(await test(0), `--good ${good}`);
  const ending = required(await test(commits.length - 1), `--bad ${bad}`);
  if (base.result === ending.result)
    throw new UsageError(`the capture has the same result at --good ${good} and at --bad ${bad}`);
  let [low, high] = [0, commits.length - 1];
  for (let next = nextIndex(low, high, results); next !== undefined; next = nextIndex(low, high, results)) {
    onTested?.(results.size, Math.ceil(Math.log2(high - low)));
    const tested = await test(next);
    if ('skipped' in tested) continue;
    if (tested.result === base.result) low = next;
    else high = next;
  }
  const line = (commit: string) => git(folder, 'log', '-1', '--format=%h %as %an: %s', commit);
  const skipped = [...results].flatMap(([index, one]) =>
    'skipped' in one ? [{ commit: commits[index] ?? '', reason: one.skipped }] : [],
  );
  const candidates = await Promise.all(commits.slice(low + 1, high + 1).map(line));
  const [before, after] = [results.get(low), results.get(high)];
  const effect =
    before &&
    after &&
    !('skipped' in before || 'skipped' in after) &&
    (await effectOf(options, before, after));
  return { candidates, skipped, tested: results.size, ...(effect || { paths: [], functions: [] }) };
}

/** Returns the untested revision that is nearest to the middle. */
function nextIndex(low: number, high: number, results: ReadonlyMap<number, unknown>): number | undefined {
  const middle = (low + high) / 2;
  const untested = Array.from({ length: high - low - 1 }, (_, i) => low + 1 + i).filter(
    (one) => !results.has(one),
  );
  return untested.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
}

function required(tested: Tested | Skipped, name: string): Tested {
  if (!('skipped' in tested)) return tested;
  throw new UsageError(`${name}: cannot be replayed: ${tested.skipped}`);
}

/** Replays the capture with the code of a revision. */
async function testRevision(
  commit: string,
  { capture, adapter, own, repository }: Bisected,
): Promise<Tested | Skipped> {
  try {
    const { root, entry, out, remove } =
      adapter === undefined ? await addCodeTree(commit, repository) : await addAdapterTree(adapter, commit);
    try {
      const { table, script } = await compileCode({ root, entry, isApp: () => true }, 'esm');
      const marks = new Uint8Array(script.keys.length);
      const file = join(out, `${commit}.mjs`);
      mkdirSync(out, { recursive: true });
      Reflect.set(globalThis, MARKS, marks);
      writeFileSync(file, `const ${MARKS} = globalThis.${MARKS};\n${script.text}`);
      const replayed = await loadRevision(file, commit, adapter === undefined ? own : undefined);
      const got = await orThrown(recordGolden(capture, replayed));
      const reached = new Set(script.keys.filter((_, number) => marks[number] === 1));
      return { replayed, got, result: resultOf(got), table, reached };
    } finally {
      remove();
    }
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    return { skipped: bundleProblem(error).replace(`--base ${commit}: `, '') };
  }
}

async function loadRevision(file: string, commit: string, own: OwnApp | undefined): Promise<Replayed> {
  const replayed =
    own === undefined ? replayedApp(await loadAdapter(file)) : await own.loadRevision(file, commit);
  return { ...replayed, adapter: frozenAdapter(replayed.adapter) };
}

function resultOf(got: RecordedGolden | FoldError): string {
  return got instanceof FoldError
    ? `${thrownError(got.cause).name} after ${got.steps.length}`
    : goldenText(got.golden);
}

/** Returns the paths that a change changes first, and the units that it changes among those that the capture reaches. */
async function effectOf({ capture }: Bisected, before: Tested, after: Tested) {
  const expected = before.got instanceof FoldError ? before.got : before.got.golden;
  const stateBefore = (index: number) => stateBeforeStep(capture, after.replayed, index);
  const difference = await compareWithGolden(expected, after.got, stateBefore);
  const { state = [], end = [], ended = [], update } = difference ?? {};
  const units = changedUnits(before.table, after.table);
  const functions = units.filter(({ key }) => before.reached.has(key) || after.reached.has(key));
  return {
    ...(update && { update: update.number }),
    paths: [...new Set((state.length > 0 ? state : [...end, ...ended]).map(({ path }) => path))],
    functions: functions.map(({ key, line, change }) => ({
      file: unitOfKey(key).file,
      line,
      name: unitName(key),
      change,
    })),
  };
}
