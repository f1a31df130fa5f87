import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CHECKOUT, bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { git, resolveCommit } from '../compare/addWorktree.ts';
import type { OwnApp } from '../engine/sessionAdapter.ts';
import { captureVerifier } from '../verify/verifyCapture.ts';
import { MARKS } from './compileCode.ts';
import { compileRevision } from './indexedApp.ts';
import { changedUnits } from './selectCaptures.ts';

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

/** The replay of the capture with the code of a revision, and the units that it reached. */
type Tested = Exclude<Awaited<ReturnType<typeof testRevision>>, string>;

/**
 * Finds the first revision between two at which the replay of a capture has another result than at the good one, by binary search along the first
 * parents. A revision whose code cannot be replayed is skipped.
 * @throws {UsageError} when the good one is not before the bad one, one of them cannot be replayed, or both have the same result.
 */
export async function bisectCapture(options: Bisected) {
  const { good, bad, adapter, onTested } = options;
  const repository = adapter === undefined ? (options.repository ?? CHECKOUT) : dirname(resolve(adapter));
  const first = await resolveCommit(repository, good, '--good');
  const last = await resolveCommit(repository, bad, '--bad');
  const base = await git(repository, 'merge-base', first, last).catch(() => '');
  if (base !== first || first === last)
    throw new UsageError(`--good ${good} is not before --bad ${bad}; name an older revision with --good`);
  const listed = await git(repository, 'rev-list', '--first-parent', '--reverse', `${first}..${last}`);
  const commits = [first, ...listed.split('\n')];
  const { folder, remove } = createTemporaryFolder('parley-bisect-');
  const test = (commit: string) => testRevision(commit, join(folder, `${first}.mjs`), { ...options, folder });
  try {
    let before = required(await test(first), `--good ${good}`);
    if (before.outcome !== 'same') throw new UsageError(`--good ${good}: its code throws; name another one`);
    let after = required(await test(last), `--bad ${bad}`);
    if (after.outcome === 'same')
      throw new UsageError(`the capture has the same result at --good ${good} and at --bad ${bad}`);
    const skipped: { commit: string; reason: string }[] = [];
    /** From the last good one to the first bad one, without those that were skipped. */
    let open = commits;
    let tested = 2;
    while (open.length > 2) {
      onTested?.(tested++, Math.ceil(Math.log2(open.length - 1)));
      const middle = (open.length - 1) >> 1;
      const commit = open[middle] ?? '';
      const result = await test(commit);
      if (typeof result === 'string') {
        skipped.push({ commit, reason: result });
        open = open.toSpliced(middle, 1);
      } else if (result.outcome === 'same') [open, before] = [open.slice(middle), result];
      else [open, after] = [open.slice(0, middle + 1), result];
    }
    const range = commits.slice(commits.indexOf(open[0] ?? '') + 1, commits.indexOf(open[1] ?? '') + 1);
    const candidates = await Promise.all(
      range.map((commit) => git(repository, 'log', '-1', '--format=%h %as %an: %s', commit)),
    );
    return { candidates, skipped, tested, ...effectOf(before, after) };
  } finally {
    remove();
  }
}

/** @throws {UsageError} when a revision could not be replayed. */
function required(tested: Tested | string, name: string): Tested {
  const problem = typeof tested === 'string' ? tested : tested.problem;
  if (typeof tested !== 'string' && problem === undefined) return tested;
  throw new UsageError(`${name}: cannot be replayed: ${problem}`);
}

/** Replays the capture with the code of a revision, and compares it with the good one. Returns why that is not possible. */
async function testRevision(commit: string, base: string, options: Bisected & { readonly folder: string }) {
  const { capture, adapter, own, repository, folder } = options;
  const code = await compileRevision(commit, { adapter }, repository).catch(bundleProblem);
  if (typeof code === 'string') return code.replace(`--base ${commit}: `, '');
  const marks = new Uint8Array(code.units.size);
  const file = join(folder, `${commit}.mjs`);
  Reflect.set(globalThis, `${MARKS}${commit}`, marks);
  writeFileSync(file, `const ${MARKS} = globalThis.${MARKS}${commit};\n${code.text}`);
  try {
    const isOwn = adapter === undefined;
    const loadOwn = async () => ({ ...own, ...(await own.loadRevision(file, commit)) });
    const verify = await captureVerifier(isOwn ? { base } : { base, app: file }, loadOwn);
    const result = await verify(capture);
    return { ...result, code, reached: [...code.units.keys()].filter((_, i) => marks[i] === 1) };
  } catch (error) {
    return bundleProblem(error);
  }
}

/** Returns the paths that a change changes first, and the units that it changes among those that the capture reaches. */
function effectOf(before: Tested, after: Tested) {
  const { state = [], end = [], ended = [], update } = after.difference ?? {};
  const reached = new Set([...before.reached, ...after.reached]);
  return {
    ...(update && { update: update.number }),
    paths: [...new Set((state.length > 0 ? state : [...end, ...ended]).map(({ path }) => path))],
    functions: changedUnits(before.code, after.code).filter(({ key }) => reached.has(key)),
  };
}
