import { expect, test } from 'vitest';
import { CAPTURE_VERSION } from './format.ts';
import { upgradeFrom } from './upgrade.ts';

const STEPS = {
  1: ({ at, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: at }),
  2: ({ t, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: Number(t) * 1000 }),
};

test('two versions behind, both steps in order', () => {
  expect(upgradeFrom(1, STEPS, 3)({ at: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
});

test('one version behind, its step alone', () => {
  expect(upgradeFrom(2, STEPS, 3)({ t: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
});

test('the current version, the record itself', () => {
  const record = { t: 0, type: 'open' };
  expect(upgradeFrom(3, STEPS, 3)(record)).toBe(record);
  expect(upgradeFrom(CAPTURE_VERSION)(record)).toBe(record);
});
