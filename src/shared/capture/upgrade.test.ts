import { expect, test } from 'vitest';
import { CAPTURE_VERSION } from './format.ts';
import { upgradeFrom } from './upgrade.ts';

const STEPS = {
  1: ({ at, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: at }),
  2: ({ t, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: Number(t) * 1000 }),
};

test('applies both steps in order to a record that is two versions old', () => {
  expect(upgradeFrom(1, STEPS, 3)({ at: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
});

test('applies only the last step to a record that is one version old', () => {
  expect(upgradeFrom(2, STEPS, 3)({ t: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
});

test('returns a record of the current version itself', () => {
  const record = { t: 0, type: 'open' };
  expect(upgradeFrom(3, STEPS, 3)(record)).toBe(record);
  expect(upgradeFrom(CAPTURE_VERSION)(record)).toBe(record);
});
