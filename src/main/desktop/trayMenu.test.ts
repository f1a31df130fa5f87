import { expect, test } from 'vitest';
import { desktopCommands } from '#tests/builders/desktopCommands.ts';
import { trayMenu } from './setUpTray.ts';

const commands = desktopCommands();

const menu = (isSignedIn: boolean) =>
  trayMenu({ icon: 'connected', toolTip: '(2) Parley: connected', isSignedIn }, commands);

test('shows the state in its first line, which is disabled', () => {
  expect(menu(true)[0]).toEqual({ label: '(2) Parley: connected', enabled: false });
});

test.each([
  ['Open Parley', commands.showWindow, true],
  ['Save this session', commands.saveSession, false],
  ['Inspect this session', commands.inspectSession, false],
  ['Log out', commands.signOut, false],
  ['Quit', commands.quit, true],
])('runs the act of %s, and enables it without a session only if it needs none', (label, does, needsNone) => {
  const entry = (isSignedIn: boolean) => menu(isSignedIn).find((item) => item.label === label);
  expect(entry(true)?.click).toBe(does);
  expect(entry(true)?.enabled ?? true).toBe(true);
  expect(entry(false)?.enabled ?? true).toBe(needsNone);
});
