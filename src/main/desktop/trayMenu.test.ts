import { expect, test } from 'vitest';
import { desktopActs } from '#tests/builders/desktopActs.ts';
import { trayMenu } from './trayMenu.ts';

const acts = desktopActs();

const menu = (isSignedIn: boolean) =>
  trayMenu({ icon: 'connected', toolTip: '(2) Parley: connected', isSignedIn }, acts);

test('its first line, how things stand; no act', () => {
  expect(menu(true)[0]).toEqual({ label: '(2) Parley: connected', enabled: false });
});

test.each([
  ['Open Parley', acts.showWindow, true],
  ['Save this session', acts.saveSession, false],
  ['Inspect this session', acts.inspectSession, false],
  ['Log out', acts.signOut, false],
  ['Quit', acts.quit, true],
])('%s, does it; without a session it can be chosen: %#', (label, does, needsNone) => {
  const entry = (isSignedIn: boolean) => menu(isSignedIn).find((item) => item.label === label);
  expect(entry(true)?.click).toBe(does);
  expect(entry(true)?.enabled ?? true).toBe(true);
  expect(entry(false)?.enabled ?? true).toBe(needsNone);
});
