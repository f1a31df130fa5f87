import { afterAll, expect, onTestFinished, test } from 'vitest';
import { textBoxOpened } from '#shared/actions/windowActions.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';
import { actionRecord } from '#shared/capture/recordedActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { all, writeCapture } from '../testing/files.ts';
import { compareCaptures } from './compareCaptures.ts';
import { FOLD, compareSessions } from './testing/repository.ts';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSource } from '../base/bundleSource.ts';
import { addWorktree, git } from './addWorktree.ts';
import { bundleWorker } from './bundleWorker.ts';

const TYPING = [windowOpened(1), ofWindow(textBoxOpened({ text: 'hello' }), 1)].map((action, i) =>
  actionRecord(action, 20 * i),
);

test('contract §7 compare: names each session, path and time that other reducers change, bundles the inspector’s worker with them, and leaves no worktree', async () => {
  const { at, folder, commit, edit, worktrees, captures } = await compareSessions();
  await edit(FOLD, 'withContext(message, context)', 'withContext(message, `<${context}>`)');
  await edit(
    'src/shared/store/windowState.ts',
    'textBoxOpened, (_, { payload }) => payload.text',
    "textBoxOpened, () => 'typed'",
  );
  const base = await commit();
  const given = [...captures, await writeCapture(at('typed.parley.jsonl'), TYPING)];
  const ofContext = { path: 'messages[39].context', before: 'Assistant', expected: '<Ada’s>', got: 'Ada’s' };
  const ofTextBox = { path: 'windows[1].own.textBox at 20 ms', expected: 'typed', got: 'hello' };
  expect(await all(compareCaptures(given, { own: parleyApp, base, repository: folder }))).toMatchObject([
    { outcome: 'differs', difference: { update: { number: 3, kind: 'context' }, state: [ofContext] } },
    { outcome: 'same' },
    { outcome: 'differs', difference: { state: [], end: [ofTextBox] } },
  ]);
  const worker = await bundleWorker(base, folder);
  expect(worker).toContain('withContext(message, `<${context}>`)');
  expect(worker).not.toMatch(/^import |#shared/m);
  for (const [revision, repository, problem] of [
    ['--nope', folder, 'there is no such revision'],
    ['HEAD', at(''), `${at('')} is not a git repository`],
  ] as const)
    await expect(all(compareCaptures(given, { own: parleyApp, base: revision, repository }))).rejects.toThrow(
      `--base ${revision}: ${problem}`,
    );
  expect(await worktrees()).toBe(1);
});

test('uses the code of older revisions: in the replay tool, or src/shared alone; refuses one without it in one line', async () => {
  const { folder, commit, edit, move, remove, worktrees, captures } = await compareSessions();
  const compared = async (base: string) =>
    all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
  await edit('src/shared/replay/code.ts', '  tickFor,\n', '');
  const partial = await commit();
  await edit('src/shared/replay/code.ts', '  decodeUpdate,\n', '  decodeUpdate,\n  tickFor,\n');
  await edit(FOLD, 'withContext(message, context)', 'message');
  await move('src/shared/replay/code.ts', 'tools/replay/engine/code.ts');
  await remove('src/shared/replay');
  await edit('tools/replay/engine/code.ts', /'\.\.\//g, "'#shared/");
  const inTool = await commit();
  await remove('tools');
  for (const base of [inTool, await commit()])
    expect((await compared(base)).map(({ outcome }) => outcome)).toEqual(['differs', 'same']);
  await remove('src');
  for (const [base, problem] of [
    [partial, 'no tickFor, which a replay needs'],
    [await commit(), 'neither src/shared/replay/code.ts nor what it imports from src/shared'],
  ] as const)
    await expect(compared(base)).rejects.toThrow(`--base ${base}: that revision has ${problem}`);
  expect(await worktrees()).toBe(1);
});

const out = mkdtempSync(join(tmpdir(), 'parley-hold-'));
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
const holder = await bundleSource({ root: out, entry, out });

afterAll(() => rmSync(out, { recursive: true }));

/** Starts a process that keeps a worktree of a repository; it has ended when the test ends. `tree` resolves when the worktree is complete. */
function holdWorktree(folder: string) {
  const child = spawn(process.execPath, [holder, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return { child, ended, tree: once(child.stdout, 'data').then(String) };
}

test('removes the worktree after a signal, those of killed runs at the next run, and no other', async () => {
  const { at, folder, commit } = await compareSessions();
  await commit();
  const [killed, living, ended] = [holdWorktree(folder), holdWorktree(folder), holdWorktree(folder)];
  const [stale, live, gone] = [await killed.tree, await living.tree, await ended.tree];
  const foreign = at('parley-compare-x/tree');
  expect(existsSync(join(gone, 'src'))).toBe(true);
  ended.child.kill('SIGINT');
  expect(await ended.ended).toEqual([130, null]);
  expect(existsSync(gone)).toBe(false);
  await git(folder, 'worktree', 'add', '--lock', foreign);
  killed.child.kill('SIGKILL');
  await killed.ended;
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
  execFileSync('mkfifo', [at('pipe')]);
  await writeFile(join(folder, '.gitattributes'), 'package.json filter=slow\n');
  await commit();
  await git(folder, 'config', 'filter.slow.smudge', `exec 3> ${at('pipe')}; echo >&3; sleep 1000`);
  const { child, ended } = holdWorktree(folder);
  const filter = createReadStream(at('pipe'));
  const filtered = once(filter, 'end');
  await once(filter, 'data');
  filter.resume();
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(await worktrees()).toBe(1);
  // The pipe ends when the last process that writes to it has ended.
  await filtered;
});
