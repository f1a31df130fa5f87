import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { ddmin } from './minimizeCapture.ts';

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
