import { expect, test } from 'vitest';
import { HEARD, INVOKED, SENT } from './channels.ts';

test('spec §6.3: from window to background, these six and no seventh', () => {
  expect([...SENT, ...INVOKED].sort()).toEqual(['auth', 'encode', 'logout', 'message', 'messenger', 'nav']);
});

test('spec §6.3: from background to window, these five', () => {
  expect(HEARD).toEqual(['account', 'message', 'ws', 'record', 'playback']);
});
