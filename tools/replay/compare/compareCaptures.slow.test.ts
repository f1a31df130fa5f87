import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { bundleSource } from '../bundle/bundleSource.ts';
import { all } from '../testing/files.ts';
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

test('uses its own reducers of acts for a revision that has none for the fold', async () => {
  const { folder, commit, edit, captures } = await compareSessions();
  await edit('tools/replay/engine/code.ts', '  reduceActs,\n', '');
  const base = await commit();
  const results = await all(compareCaptures(captures, { base, repository: folder }));
  expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'same']);
});

test('reports every session as the same when only the form of the state differs', async () => {
  const { folder, commit, edit, captures } = await compareSessions();
  await edit('src/shared/conversation/vector.ts', 'const BITS = 5', 'const BITS = 1');
  const base = await commit();
  const results = await all(compareCaptures(captures, { base, repository: folder }));
  expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'same']);
});

test('removes the worktree after a signal', async () => {
  const { at, folder, commit, worktrees } = await compareSessions();
  await commit();
  const entry = join(import.meta.dirname, 'testing', 'holdWorktree.ts');
  const held = await bundleSource({ root: at(''), entry, out: at('out') });
  const child = spawn(process.execPath, [held, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const tree = String(line).trim();
  expect(existsSync(join(tree, 'src'))).toBe(true);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(existsSync(tree)).toBe(false);
  expect(await worktrees()).toBe(1);
});
