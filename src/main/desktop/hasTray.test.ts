import { expect, test } from 'vitest';
import { hasTray } from './setUpTray.ts';

const failing = () => Promise.reject(new Error('gdbus: not found'));

test.each([
  ['linux', async () => '(true,)\n', true],
  ['linux', async () => '(false,)\n', false],
  ['linux', failing, false],
  ['darwin', failing, true],
  ['web', failing, true],
])('says whether the desktop of %s has a tray (%o): %s', async (os, ask, expected) => {
  expect(await hasTray(os, ask)).toBe(expected);
});
