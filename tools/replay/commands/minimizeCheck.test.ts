import { parleyApp } from '../parley/parleyApp.ts';
import { expect, test } from 'vitest';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { loadCapture } from '../read/readCapture.ts';
import type { CaptureResult } from '../verify/resultRecord.ts';
import { minimizeCapture } from './minimizeCapture.ts';
import { ownCheck } from './minimizeCheck.ts';

test('finds the records that differ from another revision, and leaves no worktree', async () => {
  const { folder, commit, edit, worktrees, captures } = await compareSessions();
  await edit(FOLD, 'withContext(message, context)', 'withContext(message, `<${context}>`)');
  const base = await commit();
  const capture = await loadCapture(captures[0] ?? '');
  const { check, end } = ownCheck((paths) =>
    compareCaptures(paths, { own: parleyApp, base, repository: folder }),
  );
  const options = {
    option: '--fails compare',
    signal: new AbortController().signal,
    onCheck: () => undefined,
  };
  const { records, isMinimal } = await minimizeCapture({ ...options, capture, check });
  await end();
  expect(isMinimal).toBe(true);
  expect(records).toHaveLength(2);
  expect(records.at(-1)).toMatchObject({ data: '{"context":"Ada’s"}' });
  expect(await worktrees()).toBe(1);
});

const result = (outcome: object) => Object({ capture: 'x', ms: 1, warnings: [], ...outcome });
const differing = (path: string) =>
  result({ outcome: 'differs', difference: { state: [{ path }], end: [] } });

test('takes no other outcome and no other signature for the failure', async () => {
  const results: CaptureResult[] = [
    differing('messages[3].text'),
    result({ outcome: 'unusable', problem: 'x: is broken' }),
    result({ outcome: 'stopped', problem: 'x: took longer than 60 s' }),
    differing('person'),
    result({ outcome: 'same', updates: 1 }),
    differing('messages[0].text'),
  ];
  const { check, end } = ownCheck(async function* (paths) {
    for await (const _ of paths) {
      const [next] = results.splice(0, 1);
      if (next !== undefined) yield next;
    }
  });
  const found = [];
  for (let i = 0; i < 6; i++) found.push(await check(`${i}`));
  expect(found).toEqual(['fails', 'passes', 'passes', 'passes', 'passes', 'fails']);
  await end();
});

test('refuses a capture that cannot be used', async () => {
  const { check } = ownCheck(async function* (paths) {
    for await (const _ of paths) yield result({ outcome: 'unusable', problem: 'x: is broken' });
  });
  await expect(check('x')).rejects.toThrow('x: is broken');
});
