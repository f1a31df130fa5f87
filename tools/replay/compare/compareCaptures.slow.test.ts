import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleSource } from '../base/bundleSource.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { all } from '../testing/files.ts';
import { addWorktree, git } from './addWorktree.ts';
import { compareCaptures } from './compareCaptures.ts';
import { compareSessions } from './testing/repository.ts';

test('refuses a revision that lacks the code in one line, and leaves no worktree', async () => {
  const { folder, commit, edit, remove, worktrees, captures } = await compareSessions();
  await edit('src/shared/replay/code.ts', '  tickFor,\n', '');
  const partial = await commit();
  await remove('src');
  await remove('tools');
  const code = 'neither src/shared/replay/code.ts nor what it imports from src/shared';
  for (const [base, problem] of [
    [partial, 'no tickFor, which a replay needs'],
    [await commit(), code],
  ] as const)
    await expect(
      all(compareCaptures(captures, { own: parleyApp, base, repository: folder })),
    ).rejects.toThrow(`--base ${base}: that revision has ${problem}`);
  expect(await worktrees()).toBe(1);
});

const out = mkdtempSync(join(tmpdir(), 'parley-hold-'));
let holder = '';

beforeAll(async () => {
  // Keeps a worktree of a repository's newest commit until a signal arrives.
  const entry = join(out, 'holdWorktree.ts');
  await writeFile(
    entry,
    `import { addWorktree } from ${JSON.stringify(join(import.meta.dirname, 'addWorktree.ts'))};
    process.on('SIGINT', () => process.exit(130));
    const { tree } = await addWorktree({ repository: process.argv[2], commit: 'HEAD' });
    process.stdout.write(tree);
    setInterval(() => undefined, 2 ** 30);`,
  );
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
  const [tree] = await once(child.stdout, 'data');
  return String(tree);
}

test('removes the worktree after a signal, those of killed runs at the next run, and no other', async () => {
  const { at, folder, commit } = await compareSessions();
  await commit();
  const [killed, living, ended] = [holdWorktree(folder), holdWorktree(folder), holdWorktree(folder)];
  const [stale, live, gone, foreign] = [
    await treeOf(killed),
    await treeOf(living),
    await treeOf(ended),
    at('parley-compare-x/tree'),
  ];
  expect(existsSync(join(gone, 'src'))).toBe(true);
  ended.kill('SIGINT');
  expect(await once(ended, 'exit')).toEqual([130, null]);
  expect(existsSync(gone)).toBe(false);
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
