import { expect, test } from 'vitest';
import { textBoxOpened } from '#shared/actions/windowActions.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';
import { actionRecord } from '#shared/capture/recordedActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { all, writeCapture } from '../testing/files.ts';
import { compareCaptures } from './compareCaptures.ts';
import { FOLD, compareSessions } from './testing/repository.ts';

const TYPING = [windowOpened(1), ofWindow(textBoxOpened({ text: 'hello' }), 1)].map((action, i) =>
  actionRecord(action, 20 * i),
);

test('contract §7 compare: names each session, path and time that other reducers change, and leaves no worktree', async () => {
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
  for (const [revision, repository, problem] of [
    ['--nope', folder, 'there is no such revision'],
    ['HEAD', at(''), `${at('')} is not a git repository`],
  ] as const)
    await expect(all(compareCaptures(given, { own: parleyApp, base: revision, repository }))).rejects.toThrow(
      `--base ${revision}: ${problem}`,
    );
  expect(await worktrees()).toBe(1);
});
