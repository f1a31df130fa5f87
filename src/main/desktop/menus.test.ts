import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { desktopCommands } from '#tests/builders/desktopCommands.ts';
import { type MenuState, menuState, menuTemplate } from './setUpMenu.ts';
import { trayMenu, hasTray, trayState } from './setUpTray.ts';
import {
  audioStarted,
  playbackEnded,
  playbackStarted,
  recordingStarted,
  recordingStopped,
} from '#shared/actions/mainActions.ts';
import {
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  sessionEnded,
  sessionLaunched,
  updateApplied,
} from '#shared/actions/sessionActions.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { combineReducers } from '@reduxjs/toolkit';
import { accountReducer } from '../store/accountFile.ts';
import { mainReducers } from '../store/mainStore.ts';
import { updateOf } from '#tests/builders/updateOf.ts';

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
    const connection = { status: 'disconnected', closedBecause } as const;
    const audio = { isRecording: false, playing: null };
    expect(menuState({ account: { id }, connection, audio, attention: { unread: 0 } })).toEqual(expected);
  });

  test('has the entries of macOS on macOS only', () => {
    expect(rolesOf(true)).toEqual(expect.arrayContaining(['services', 'hide', 'hideOthers', 'unhide']));
    expect(rolesOf(false)).not.toContain('hide');
  });
});

const trayMenuOf = (isSignedIn: boolean) =>
  trayMenu({ icon: 'connected', toolTip: '(2) Parley: connected', isSignedIn }, commands);

test('shows the state in its first line, which is disabled', () => {
  expect(trayMenuOf(true)[0]).toEqual({ label: '(2) Parley: connected', enabled: false });
});

test.each([
  ['Open Parley', commands.showWindow, true],
  ['Save this session', commands.saveSession, false],
  ['Inspect this session', commands.inspectSession, false],
  ['Log out', commands.signOut, false],
  ['Quit', commands.quit, true],
])('runs the act of %s, and enables it without a session only if it needs none', (label, does, needsNone) => {
  const trayEntry = (isSignedIn: boolean) => trayMenuOf(isSignedIn).find((item) => item.label === label);
  expect(trayEntry(true)?.click).toBe(does);
  expect(trayEntry(true)?.enabled ?? true).toBe(true);
  expect(trayEntry(false)?.enabled ?? true).toBe(needsNone);
});

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

type Step = { readonly type: string };

const applied = (frame: object) => updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 });
const from = (modifier: string) => applied({ id: '1', modifier, content: [], context: 'x', avatar: '' });

// The modules of these actions are reloaded with each store, so their types are written here.
const signedIn = { type: 'account/signedIn', payload: { id: 'a', platform: 'the platform' } };
const signedOut = { type: 'account/signedOut' };
const focused = { type: 'attention/gained', meta: { scope: 'local' } };
const blurred = { type: 'attention/lost', meta: { scope: 'local' } };
const launched = sessionLaunched({ launchedAt: 0 });
const connected: Step[] = [signedIn, launched, connectionOpened(), connectionConfirmed()];
const away: Step[] = [...connected, blurred];
const voice: Step[] = [...connected, audioStarted()];
const playing: Step[] = [...voice, playbackStarted({ id: '1', message: 0, item: 0 })];
const closed = (reason: string) => connectionClosed({ code: 1000, reason });

const reducer = combineReducers({ ...mainReducers, account: accountReducer });

/** Returns the icon, tool tip, title and badge after these actions. */
function shownAfter(steps: readonly Step[]) {
  const state = steps.reduce(reducer, reducer(undefined, { type: '' }));
  const { icon, toolTip, isSignedIn } = trayState(state);
  return [icon, toolTip, isSignedIn, windowTitle(state.attention), state.attention.unread];
}

type Row = [what: string, steps: readonly Step[], icon: string, toolTip: string, unread?: number];

const ROWS: readonly Row[] = [
  ['no action', [], 'disconnected', 'Parley: signed out'],
  ['signed in', [signedIn], 'disconnected', 'Parley: disconnected'],
  ['a pong', connected, 'connected', 'Parley: connected'],
  ['a close with a reason', [...connected, closed('no')], 'disconnected', 'Parley: disconnected'],
  ['signed out', [...connected, signedOut, sessionEnded()], 'disconnected', 'Parley: signed out'],
  ['a recording started', [...voice, recordingStarted()], 'recording', 'Parley: recording'],
  [
    'a recording stopped',
    [...voice, recordingStarted(), recordingStopped()],
    'connected',
    'Parley: connected',
  ],
  ['a playback started', playing, 'connected', 'Parley: playing'],
  ['a playback ended', [...playing, playbackEnded()], 'connected', 'Parley: connected'],
  ['a recording during a playback', [...playing, recordingStarted()], 'recording', 'Parley: recording'],
  ['an unseen message', [...away, from('ai')], 'unread', '(1) Parley: connected', 1],
  [
    'two unseen messages, one of an admin',
    [...away, from('ai'), from('admin')],
    'unread',
    '(2) Parley: connected',
    2,
  ],
  ['the person’s own message', [...away, from('client')], 'connected', 'Parley: connected'],
  [
    'a text and a name',
    [...away, applied({ text: 'x' }), applied({ name: 'B' })],
    'connected',
    'Parley: connected',
  ],
  ['a snapshot', [...away, applied({ person: 'A', messages: [] })], 'connected', 'Parley: connected'],
  ['a seen message', [...away, focused, from('ai')], 'connected', 'Parley: connected'],
  ['the window got the focus again', [...away, from('ai'), focused], 'connected', 'Parley: connected'],
  [
    'the window got and lost the focus',
    [...away, from('ai'), focused, blurred],
    'connected',
    'Parley: connected',
  ],
  [
    'an unread message and a close',
    [...away, from('ai'), closed('')],
    'unread',
    '(1) Parley: disconnected',
    1,
  ],
  [
    'an unread message and a recording',
    [...voice, from('ai'), recordingStarted()],
    'recording',
    '(1) Parley: recording',
    1,
  ],
  [
    'an unread message and the session’s end',
    [...away, from('ai'), sessionEnded()],
    'disconnected',
    'Parley: disconnected',
  ],
  [
    'an unread message and another session',
    [...away, from('ai'), launched],
    'disconnected',
    'Parley: disconnected',
  ],
];

test.each<Row>([...ROWS])('tray, badge and title after: %s', (...[, steps, icon, toolTip, unread = 0]) => {
  const isSignedIn = steps.includes(signedIn) && !steps.includes(signedOut);
  const title = unread === 0 ? 'Parley' : `(${unread}) Parley`;
  expect(shownAfter(steps)).toEqual([icon, toolTip, isSignedIn, title, unread]);
});
