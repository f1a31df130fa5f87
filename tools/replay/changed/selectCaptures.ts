import { dirname, resolve } from 'node:path';
import { pluralize } from '#shared/formatText.ts';
import { bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import { git, resolveCommit } from '../compare/addWorktree.ts';
import { capturesBefore } from '../engine/continuedEngine.ts';
import { isS3Url } from '../read/s3.ts';
import { type CompiledCode, compileCode } from './compileCode.ts';
import { type CaptureIndex, contentOf, decodeSet, indexFinder, memoized, unitTexts } from './indexFile.ts';
import { compileRevision, environmentOf, indexedApp, isNewerThanBuild } from './indexedApp.ts';

/** Returns the units that differ, in the order of the files and lines. The line of a removed one is that in the older code. */
export function changedUnits({ units: before }: CompiledCode, { units: after }: CompiledCode) {
  const changed = [...new Map([...before, ...after])].flatMap(([key, { line }]) => {
    const [old, now] = [before.get(key), after.get(key)];
    if (old?.hash === now?.hash) return [];
    const change: 'changed' | 'added' | 'removed' = old ? (now ? 'changed' : 'removed') : 'added';
    const at = key.lastIndexOf('#');
    return { key, file: key.slice(0, at), name: key.slice(at + 1) || 'top level', line, change };
  });
  return changed.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

/** The files that say which packages are installed. */
const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'].map((name) => `:(glob,top)**/${name}`);

/** Compares the code of a revision with the working tree: what differs in the app's code, and what affects all captures, each in a few words. */
async function compareCode(revision: string, adapter: string | undefined) {
  const app = await indexedApp(adapter);
  const { key, root } = app;
  const commit = await resolveCommit(root, revision, '--changed');
  const tree = await compileCode(app, 'esm').catch((error: unknown) => {
    throw new UsageError(`the working tree cannot be compiled: ${bundleProblem(error)}`, { cause: error });
  });
  const everything: string[] = [];
  const old = await compileRevision(commit, app).catch((error: unknown) => {
    everything.push(`the code of ${revision} cannot be compiled: ${bundleProblem(error)}`);
    return tree;
  });
  if (isNewerThanBuild(app, tree)) everything.push('the code has changed since the build; run npm run build');
  if (old.others !== tree.others)
    everything.push('the replay tool differs, or a file that the code imports and that is no code');
  const locks = await git(root, 'diff', '--name-only', commit, '--', ...LOCKS);
  if (locks !== '') everything.push(`dependencies differ: ${locks.replaceAll('\n', ', ')}`);
  const common = new Set(unitTexts(old));
  const same = new Set(unitTexts(tree).filter((unit) => common.has(unit)));
  return { key, units: changedUnits(old, tree), everything, same, environment: environmentOf(app, tree) };
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/**
 * Selects the captures that the difference between a revision and the working tree can affect. A capture is omitted only when its replay is the same in
 * both: it was as its golden when it was indexed, neither has changed since then, and neither has any code that it reached.
 * @param adapter the adapter of another app, as the user wrote it.
 * @throws {UsageError} when there is no such revision, or the app cannot be compiled.
 */
export async function selectCaptures(revision: string, adapter: string | undefined) {
  const { key: folder, units, everything, same, environment } = await compareCode(revision, adapter);
  /** The number of captures that reach each changed unit, and that run for each reason: the end of a sentence. */
  const [reached, reasons] = [new Map<string, number>(), new Map<string, number>()];
  let [all, omitted] = [0, 0];
  const indexesOf = indexFinder(folder);
  const changedIn = memoized(({ units: indexed }: CaptureIndex) => {
    const changed = indexed.map((unit) => (same.has(unit) ? undefined : unit.replace(/ \S+$/, '')));
    return memoized((set: string) => [...decodeSet(set)].flatMap((flag, i) => (flag && changed[i]) || []));
  });
  const reasonOf = (path: string): string | undefined => {
    if (everything[0] !== undefined) return everything[0];
    if (isS3Url(path)) return 'are in a store, which has no index';
    if (capturesBefore(path).length > 0) return 'follow another capture';
    const content = contentOf(path) ?? '';
    const found = indexesOf(dirname(resolve(path))).filter(({ captures }) => captures.has(content));
    if (found.length === 0)
      return 'have no entry in an index: they are new or changed, or failed when they were indexed';
    const index = found.find((one) => one.environment === environment);
    if (index === undefined)
      return 'are in an index of another version of the tool, Node or packages; run `index` again';
    const changed = changedIn(index)(index.captures.get(content) ?? '');
    for (const key of changed) count(reached, key);
    return changed.length > 0 ? 'reach code that differs, or has changed since they were indexed' : undefined;
  };
  return {
    /** Yields the captures to verify. */
    async *affected(captures: AsyncIterable<string>): AsyncGenerator<string, void> {
      for await (const path of captures) {
        all++;
        const reason = reasonOf(path);
        if (reason === undefined) omitted++;
        else {
          count(reasons, reason);
          yield path;
        }
      }
    },
    omitted: () => omitted,
    /** Describes the selection so far, in lines. */
    describe(isExplained: boolean): string[] {
      const [change = `${pluralize(units.length, 'changed part')} of the code`] = everything;
      const summary = `${all - omitted} of ${all} captures are affected by the difference between ${revision} and the working tree (${change})`;
      if (!isExplained) return [`${summary}; --explain says why`];
      return [
        `${summary}:`,
        ...everything.map((one) => `  ${one}`),
        ...units.map(
          ({ key, file, name, line, change: what }) =>
            `  ${file}:${line} ${name} (${what}): ${pluralize(reached.get(key) ?? 0, 'capture')}`,
        ),
        ...[...reasons].map(([reason, number]) => `  ${number} ${reason}`),
        `  ${omitted} omitted`,
      ];
    },
  };
}
