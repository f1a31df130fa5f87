import { expect, test } from 'vitest';
import { desktopActs } from '#tests/builders/desktopActs.ts';
import { trayMenu } from './trayMenu.ts';

const acts = desktopActs();

const menu = (isSignedIn: boolean) =>
  trayMenu({ icon: 'connected', toolTip: '(2) Parley: connected', isSignedIn }, acts);

test('shows the state in its first line, which is disabled', () => {
  expect(menu(true)[0]).toEqual({ label: '(2) Parley: connected', enabled: false });
});

test.each([
  ['Open Parley', acts.showWindow, true],
  ['Save this session', acts.saveSession, false],
  ['Inspect this session', acts.inspectSession, false],
  ['Log out', acts.signOut, false],
  ['Quit', acts.quit, true],
])('runs the act of %s, and enables it without a session only if it needs none', (label, does, needsNone) => {
  const entry = (isSignedIn: boolean) => menu(isSignedIn).find((item) => item.label === label);
  expect(entry(true)?.click).toBe(does);
  expect(entry(true)?.enabled ?? true).toBe(true);
  expect(entry(false)?.enabled ?? true).toBe(needsNone);
});
