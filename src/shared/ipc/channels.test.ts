import { expect, test } from 'vitest';
import { RECEIVED, INVOKED, SENT } from './channels.ts';

test('spec §6.3: there are six channels from window to main', () => {
  expect([...SENT, ...INVOKED].sort()).toEqual(['auth', 'encode', 'logout', 'message', 'messenger', 'nav']);
});

test('spec §6.3: there are five channels from main to window', () => {
  expect(RECEIVED).toEqual(['account', 'message', 'ws', 'record', 'playback']);
});
