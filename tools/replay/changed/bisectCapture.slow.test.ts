import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLD, compareSessions, replaceIn } from '../compare/testing/repository.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { runTool } from '../testing/files.ts';
import { bisectCapture } from './bisectCapture.ts';
import { bisectSchema } from '../commands/bisect.ts';
import { changingApp } from './testing/changingApp.ts';

/** An app with five revisions after the first one: the fourth changes what `op0` does, the third cannot be bundled. */
async function revisedApp() {
  const app = await changingApp(6);
  const edit = (name: string, before: string, after: string) =>
    replaceIn(join(app.folder, name), before, after);
  const commits = [
    ['limits.ts', 'export', '// The limit.\nexport', 'docs: a comment'],
    ['part1.ts', '* 10', '* 11', 'fix: another operation'],
    ['part2.ts', 'export const limit', 'export const const limit', 'refactor: in progress'],
    ['part2.ts', 'const const', 'const', 'refactor: complete'],
    ['part0.ts', 'state.a + v', 'state.a + 1 + v', 'feat(app): more for each operation'],
    ['part0.ts', 'state.b - v + 1', 'state.b - v + 2', 'fix: the second operation'],
  ] as const;
  const hashes: string[] = [];
  for (const [name, before, after, message] of commits) {
    await edit(name, before, after);
    hashes.push(await app.commit(message));
  }
  const capture = join(app.sessions, '0.parley.jsonl');
  const bisect = async (good: string, bad: string) =>
    runTool('bisect', capture, '--good', good, '--bad', bad, '--json', ...app.app);
  return { ...app, edit, hashes, bisect };
}

test('contract §7 bisect: finds the commit that changes the result, the path and the function, skips what cannot be bundled, names a range around it, and refuses revisions that cannot be bisected in one line', async () => {
  const { bisect, hashes, edit, commit } = await revisedApp();
  const { out, ...rest } = await bisect('HEAD~5', 'HEAD');
  expect(rest).toEqual({ status: 0, err: '' });
  const found = bisectSchema.parse(JSON.parse(out));
  const line = /^[0-9a-f]+ \d{4}-\d\d-\d\d Ada: feat\(app\): more for each operation$/;
  expect(found.candidates).toEqual([expect.stringMatching(line)]);
  const op0 = { file: 'part0.ts', line: expect.any(Number), name: 'op0', change: 'changed' };
  expect(found.functions).toEqual([op0]);
  expect(found.paths).toEqual(['state.a']);
  expect(found.skipped.map((one) => one.commit)).toEqual(hashes.slice(2, 3));
  for (const [good, bad, err] of [
    ['HEAD', 'HEAD~1', '--good HEAD is not before --bad HEAD~1; name an older revision with --good\n'],
    ['HEAD~5', 'HEAD~4', 'the capture has the same result at --good HEAD~5 and at --bad HEAD~4\n'],
    ['HEAD~5', 'nothing', '--bad nothing: there is no such revision\n'],
  ] as const)
    expect(await bisect(good, bad)).toEqual({ status: 2, out: '', err });
  await edit('part2.ts', 'export const limit', 'export const const limit');
  await commit('refactor: begins');
  await edit('part2.ts', 'const const', 'const');
  await edit('part0.ts', 'state.a + 1', 'state.a + 2');
  await commit('refactor: ends');
  const ranged = await bisect('HEAD~2', 'HEAD');
  expect(ranged.status).toBe(1);
  const { candidates } = bisectSchema.parse(JSON.parse(ranged.out));
  expect(candidates.map((one) => one.split(': ').at(-1))).toEqual(['begins', 'ends']);
});

test('finds the commit of Parley’s own code', async () => {
  const { folder, commit, edit, captures, worktrees } = await compareSessions();
  const good = await commit();
  await edit(FOLD, 'withContext(message, context)', 'withContext(message, `<${context}>`)');
  const bad = await commit();
  const [capture = ''] = captures;
  const options = { capture, good, bad, adapter: undefined, own: parleyApp, repository: folder };
  const { candidates, functions } = await bisectCapture(options);
  expect(candidates).toHaveLength(1);
  expect(functions.map(({ file, name }) => `${file} ${name}`)).toContain(`${FOLD} changeContext/=>`);
  expect(await worktrees()).toBe(1);
});
