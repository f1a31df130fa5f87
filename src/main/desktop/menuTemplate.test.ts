import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { desktopCommands } from '#tests/builders/desktopCommands.ts';
import { type MenuState, menuState, menuTemplate } from './setUpMenu.ts';

const commands = desktopCommands();

type Item = MenuItemConstructorOptions;

const itemsOf = ({ submenu }: Item): Item[] => (Array.isArray(submenu) ? submenu : []);
const all = (menu: MenuState, isMac = false) => menuTemplate({ commands, menu, isMac }).flatMap(itemsOf);
const SIGNED_IN = { isSignedIn: true, canReconnect: false };
const rolesOf = (isMac: boolean) => all(SIGNED_IN, isMac).map(({ role }) => role);
const entry = (label: string, menu: MenuState = SIGNED_IN) => all(menu).find((item) => item.label === label);

describe('the application’s menu', () => {
  test('has its menus in the usual order', () => {
    const template = menuTemplate({ commands, menu: SIGNED_IN, isMac: false });
    expect(template.map(({ label, role }) => label ?? role)).toEqual([
      'Parley',
      'File',
      'editMenu',
      'View',
      'windowMenu',
      'help',
    ]);
  });

  test.each([
    ['Settings…', 'CommandOrControl+,'],
    ['New window', 'CommandOrControl+N'],
    ['Save this session', 'CommandOrControl+S'],
    ['Print…', 'CommandOrControl+P'],
    ['Find…', 'CommandOrControl+F'],
    ['Reconnect', 'CommandOrControl+Shift+R'],
    ['Quit Parley', 'CommandOrControl+Q'],
  ])('has %s with the accelerator %s', (label, accelerator) => {
    expect(entry(label)?.accelerator).toBe(accelerator);
  });

  test('uses each accelerator once, and not the one for recording', () => {
    const accelerators = all(SIGNED_IN, true).flatMap((item) => item.accelerator ?? []);
    expect(new Set(accelerators).size).toBe(accelerators.length);
    expect(accelerators).not.toContain('CommandOrControl+Return');
  });

  test.each([
    ['About Parley', commands.showAbout],
    ['Settings…', commands.showSettings],
    ['Delete my data…', commands.showDeleteData],
    ['New window', commands.openWindow],
    ['Export the conversation…', commands.showExport],
    ['Print…', commands.print],
    ['Find…', commands.find],
    ['Save this session', commands.saveSession],
    ['Inspect this session', commands.inspectSession],
    ['Reconnect', commands.reconnect],
    ['Copy diagnostics', commands.copyDiagnostics],
    ['Log out', commands.signOut],
    ['Quit Parley', commands.quit],
  ])('runs the act of %s', (label, does) => {
    expect(entry(label)?.click).toBe(does);
  });

  test.each([
    ['signed out', { isSignedIn: false, canReconnect: false }, [false, false, false]],
    ['signed in', SIGNED_IN, [true, true, false]],
    ['disconnected with a reason', { isSignedIn: true, canReconnect: true }, [true, true, true]],
  ])('enables Log out, Save and Reconnect when %s: %j', (_, menu, expected) => {
    const labels = ['Log out', 'Save this session', 'Reconnect'];
    expect(labels.map((label) => entry(label, menu)?.enabled)).toEqual(expected);
  });

  test.each([
    [null, null, { isSignedIn: false, canReconnect: false }],
    ['a', null, { isSignedIn: true, canReconnect: false }],
    ['a', 'maintenance', { isSignedIn: true, canReconnect: true }],
    [null, 'unauthorized', { isSignedIn: false, canReconnect: false }],
  ])('derives its state from account %j and close reason %j: %j', (id, closedBecause, expected) => {
    const source = {
      account: { id },
      connection: { status: 'disconnected', closedBecause },
      audio: { isRecording: false, playing: null },
      attention: { unread: 0 },
    } as const;
    expect(menuState(source)).toEqual(expected);
  });

  test('has the entries of macOS on macOS only', () => {
    expect(rolesOf(true)).toEqual(expect.arrayContaining(['services', 'hide', 'hideOthers', 'unhide']));
    expect(rolesOf(false)).not.toContain('hide');
  });
});
