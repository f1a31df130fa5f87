import { parleyApp } from '../parley/parleyApp.ts';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { bundleSource } from '../base/bundleSource.ts';
import { all } from '../testing/files.ts';
import { addWorktree, git } from './addWorktree.ts';
import { bundleWorker } from './bundleWorker.ts';
import { compareCaptures } from './compareCaptures.ts';

test('bundles the inspector’s worker with the reducers of another revision, and leaves no worktree', async () => {
  const { folder, commit, edit, worktrees } = await compareSessions();
  await edit(FOLD, 'withContext(message, context)', 'withContext(message, `<${context}>`)');
  const worker = await bundleWorker(await commit(), folder);
  expect(worker).toContain('withContext(message, `<${context}>`)');
  expect(worker).not.toMatch(/^import |#shared/m);
  expect(await worktrees()).toBe(1);
});

test('uses its own reducers of acts for a revision that has none for replays', async () => {
  const { folder, commit, edit, captures } = await compareSessions();
  await edit('src/shared/replay/code.ts', '  reduceActs,\n', '');
  const base = await commit();
  const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
  expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'same']);
});

test('reports every session as the same when only the form of the state differs', async () => {
  const { folder, commit, edit, captures } = await compareSessions();
  await edit('src/shared/conversation/vector.ts', 'const BITS = 5', 'const BITS = 1');
  const base = await commit();
  const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
  expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'same']);
});

const out = mkdtempSync(join(tmpdir(), 'parley-hold-'));
let holder = '';

beforeAll(async () => {
  const entry = join(import.meta.dirname, 'testing', 'holdWorktree.ts');
  holder = await bundleSource({ root: out, entry, out });
});

afterAll(() => rmSync(out, { recursive: true }));

/** Starts a process that keeps a worktree of a repository; it has ended when the test ends. */
function holdWorktree(folder: string) {
  const child = spawn(process.execPath, [holder, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return child;
}

/** Returns the worktree of such a process when it is complete. */
async function treeOf(child: ReturnType<typeof holdWorktree>): Promise<string> {
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}

test('removes the worktrees of killed runs at the next run, and no other', async () => {
  const { at, folder, commit } = await compareSessions();
  await commit();
  const [killed, living] = [holdWorktree(folder), holdWorktree(folder)];
  const [stale, live, foreign] = [await treeOf(killed), await treeOf(living), at('parley-compare-x/tree')];
  await git(folder, 'worktree', 'add', '--lock', foreign);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const { tree, remove } = await addWorktree({ repository: folder, commit: 'HEAD' });
  expect([stale, live, foreign, tree].map((one) => existsSync(one))).toEqual([false, true, true, true]);
  remove();
  const list = await git(folder, 'worktree', 'list', '--porcelain');
  expect(list.match(/^worktree .*$/gm)).toEqual(
    [folder, ...[live, foreign].sort()].map((one) => `worktree ${one}`),
  );
});

test('a signal while git checks a worktree out ends git, and leaves no worktree', async () => {
  const { at, folder, commit, worktrees } = await compareSessions();
  const [pipe, attributes] = [at('pipe'), join(folder, '.gitattributes')];
  await promisify(execFile)('mkfifo', [pipe]);
  await writeFile(attributes, 'package.json filter=slow\n');
  await commit();
  await git(folder, 'config', 'filter.slow.smudge', `exec 3> ${pipe}; echo >&3; sleep 1000`);
  const child = holdWorktree(folder);
  const filter = createReadStream(pipe);
  const ended = once(filter, 'end');
  await once(filter, 'data');
  filter.resume();
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(await worktrees()).toBe(1);
  // The pipe ends when the last process that writes to it has ended.
  await ended;
});

test('removes the worktree after a signal', async () => {
  const { folder, commit, worktrees } = await compareSessions();
  await commit();
  const child = holdWorktree(folder);
  const tree = await treeOf(child);
  expect(existsSync(join(tree, 'src'))).toBe(true);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(existsSync(tree)).toBe(false);
  expect(await worktrees()).toBe(1);
});
