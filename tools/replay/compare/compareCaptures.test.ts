import { parleyApp } from '../parley/parleyApp.ts';
import { describe, expect, test } from 'vitest';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { actionRecord } from '#shared/capture/recordedActions.ts';
import { textBoxOpened } from '#shared/actions/windowActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { all, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import { compareCaptures } from './compareCaptures.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';

/** A window in which a person types. */
const TYPING = [windowOpened(1), ofWindow(textBoxOpened({ text: 'hello' }), 1)].map((action, i) =>
  actionRecord(action, 20 * i),
);

describe('compare', { timeout: 30_000 }, () => {
  test('reports every session as the same for the same reducers, and leaves no worktree', async () => {
    const { folder, commit, worktrees, captures } = await compareSessions();
    const base = await commit();
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'same']);
    expect(await worktrees()).toBe(1);
  });

  test('contract §7 compare: names the session and the path that a different reducer changes', async () => {
    const { folder, commit, edit, captures } = await compareSessions();
    await edit(FOLD, 'withContext(message, context)', 'withContext(message, `<${context}>`)');
    const base = await commit();
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    expect(results).toMatchObject([
      {
        outcome: 'differs',
        difference: {
          update: { number: 3, kind: 'context' },
          state: [{ path: 'messages[39].context', before: 'Assistant', expected: '<Ada’s>', got: 'Ada’s' }],
        },
      },
      { outcome: 'same' },
    ]);
  });

  test('names the window, the path and the time that a different reducer of a window changes', async () => {
    const { at, folder, commit, edit } = await compareSessions();
    await edit(
      'src/shared/store/windowState.ts',
      'textBoxOpened, (_, { payload }) => payload.text',
      "textBoxOpened, () => 'typed'",
    );
    const base = await commit();
    const typed = await writeCapture(at('typed.parley.jsonl'), TYPING);
    expect(await all(compareCaptures([typed], { own: parleyApp, base, repository: folder }))).toMatchObject([
      {
        outcome: 'differs',
        difference: {
          state: [],
          end: [{ path: 'windows[1].own.textBox at 20 ms', expected: 'typed', got: 'hello' }],
        },
      },
    ]);
  });

  test('uses the src/shared of a revision without the replay tool', async () => {
    const { folder, commit, edit, remove, captures } = await compareSessions();
    await remove('tools');
    await remove('src/shared/replay');
    await edit(FOLD, 'withContext(message, context)', 'message');
    const base = await commit();
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    expect(results.map(({ outcome }) => outcome)).toEqual(['differs', 'same']);
  });

  test('uses the code in the replay tool of a revision that has no adapter', async () => {
    const { folder, commit, edit, move, captures } = await compareSessions();
    await move('src/shared/replay/code.ts', 'tools/replay/engine/code.ts');
    await edit('tools/replay/engine/code.ts', /'\.\.\//g, "'#shared/");
    await edit(FOLD, 'withContext(message, context)', 'message');
    const base = await commit();
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    expect(results.map(({ outcome }) => outcome)).toEqual(['differs', 'same']);
  });

  test('refuses a revision without the code in one line, and leaves no worktree', async () => {
    const { folder, commit, remove, worktrees, captures } = await compareSessions();
    await remove('tools');
    await remove('src');
    const base = await commit();
    await expect(
      all(compareCaptures(captures, { own: parleyApp, base, repository: folder })),
    ).rejects.toThrow(
      `--base ${base}: that revision has neither src/shared/replay/code.ts nor what it imports from src/shared`,
    );
    expect(await worktrees()).toBe(1);
  });

  test('names the part that a revision does not have', async () => {
    const { folder, commit, edit, captures } = await compareSessions();
    await edit('src/shared/replay/code.ts', '  tickFor,\n', '');
    const base = await commit();
    await expect(
      all(compareCaptures(captures, { own: parleyApp, base, repository: folder })),
    ).rejects.toThrow(`--base ${base}: that revision has no tickFor, which a replay needs`);
  });

  test('refuses a missing revision and a folder without a repository in one line each', async () => {
    const { at, folder, commit, captures } = await compareSessions();
    await commit();
    await expect(
      all(compareCaptures(captures, { own: parleyApp, base: '--nope', repository: folder })),
    ).rejects.toThrow('--base --nope: there is no such revision');
    await expect(
      all(compareCaptures(captures, { own: parleyApp, base: 'HEAD', repository: at('') })),
    ).rejects.toThrow(`--base HEAD: ${at('')} is not a git repository`);
  });
});

test('requires a base, in one line with status 2', async () => {
  const { status, err } = await runTool('compare', 'x.parley.jsonl');
  expect({ status, err }).toEqual({ status: 2, err: "required option '--base <rev>' not specified\n" });
});

test('refuses a base that does not exist in one line, with status 2', async () => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), []);
  const { status, out, err } = await runTool('compare', capture, '--base', 'no/such/revision');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^--base no\/such\/revision: .*\n$/);
});
