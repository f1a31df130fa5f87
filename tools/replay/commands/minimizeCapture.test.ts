import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { ddmin, minimizeCapture, ownCheck } from './minimizeCapture.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { loadCapture } from '../read/readCapture.ts';
import type { ResultRecord } from '../verify/resultRecord.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

test('finds exactly the items that are needed together, in their order', () =>
  checkAsyncProperty(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(fc.nat(59)), async (length, wanted) => {
      const needed = [...new Set(wanted)].filter((n) => n < length).sort((a, b) => a - b);
      const found = await ddmin(upTo(length), async (items) => needed.every((n) => items.includes(n)));
      expect(found).toEqual(needed);
    }),
  ));

test('finds a list that fails, and passes without any one of its items', () =>
  checkAsyncProperty(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.func(fc.boolean()), async (length, chance) => {
      const all = upTo(length);
      const fails = async (items: readonly number[]) => items.length === all.length || chance(items);
      const found = await ddmin(all, fails);
      expect(await fails(found)).toBe(true);
      for (const item of found) expect(await fails(found.filter((other) => other !== item))).toBe(false);
    }),
  ));

test('finds one of a thousand in few checks', async () => {
  let checks = 0;
  const found = await ddmin(upTo(1000), async (items) => {
    checks++;
    return items.includes(618);
  });
  expect(found).toEqual([618]);
  expect(checks).toBeLessThan(40);
});

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
  const results: ResultRecord[] = [
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
