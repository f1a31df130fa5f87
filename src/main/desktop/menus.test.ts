import { Menu, type MenuItemConstructorOptions, Notification, Tray, app, powerMonitor } from 'electron';
import { expect, test, vi } from 'vitest';
import { menuState, menuTemplate, setUpMenu } from './setUpMenu.ts';
import { trayMenu, hasTray, trayState } from './setUpTray.ts';
import { audioStarted, playbackStarted, recordingStarted } from '#shared/actions/mainActions.ts';
import * as session from '#shared/actions/sessionActions.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { type Action, type Middleware, Tuple, combineReducers, configureStore } from '@reduxjs/toolkit';
import { createDesktopCommands } from './desktopCommands.ts';
import { accountReducer } from '../store/accountFile.ts';
import { createListeners, mainReducers } from '../store/mainStore.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import { PARLEY_VERSION, aboutParley, diagnosticsText } from './copyDiagnostics.ts';
import type { Settings } from '#shared/settings.ts';
import { logTail } from '../base/createLog.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ID, identifyProgram, setUpDesktop } from './setUpDesktop.ts';

const commands = createDesktopCommands((action) => action);

type Item = MenuItemConstructorOptions;

const names = new Map<unknown, string>(Object.entries(commands).map(([name, act]) => [act, name]));

/** Returns a line for each entry: its name, its accelerator, its act, and whether it is disabled. */
const draw = (menu: readonly Item[], indent = '  '): string[] =>
  menu.flatMap(({ label, role, type, accelerator, click, enabled, submenu }) => {
    const facts = [label ?? role ?? type, accelerator, names.get(click), enabled === false && '(disabled)'];
    const more = Array.isArray(submenu) ? draw(submenu, `${indent}  `) : [];
    return [indent + facts.filter((fact) => fact).join(' | '), ...more];
  });

test('the menus of the application and the tray have their entries, accelerators and acts; those that need a session, or its end for a reason, are enabled only then; there is a tray on Linux as the desktop answers, elsewhere always', async () => {
  const application = (id: string | null, closedBecause: string | null, isMac = false) => {
    const connection = { status: 'disconnected', closedBecause } as const;
    const [audio, attention] = [{ isRecording: false, playing: null }, { unread: 0 }];
    const menu = menuState({ account: { id }, connection, audio, attention });
    return draw(menuTemplate({ commands, menu, isMac }));
  };
  const tray = { icon: 'connected', toolTip: '(2) Parley: connected' } as const;
  const drawn = [
    ['The application’s menu in a session', ...application('a', null)],
    ['The application’s menu after a close for a reason', ...application('a', 'maintenance')],
    ['The application’s menu after a sign-out for a reason', ...application(null, 'unauthorized')],
    ['The application’s menu on macOS', ...application('a', null, true)],
    ['The tray’s menu in a session', ...draw(trayMenu({ ...tray, isSignedIn: true }, commands))],
    ['The tray’s menu without a session', ...draw(trayMenu({ ...tray, isSignedIn: false }, commands))],
  ];
  const text = drawn.map((lines) => `${lines.join('\n')}\n`).join('\n');
  await expect(text).toMatchFileSnapshot('testing/menus.txt');
  const answers = ['(true,)\n', '(false,)\n'].map((answer) => hasTray('linux', async () => answer));
  expect(await Promise.all(answers)).toEqual([true, false]);
  const fails = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('none'));
  const failing = ['linux', 'darwin', 'web'].map((os) => hasTray(os, fails));
  expect(await Promise.all(failing)).toEqual([false, true, true]);
});

const applied = (frame: object) => session.updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 });
const from = (modifier: string) => applied({ id: '1', modifier, content: [], context: 'x', avatar: '' });

// The modules of these actions are reloaded with each store, so their types are written here.
const signedIn = { type: 'account/signedIn', payload: { id: 'a', platform: 'the platform' } };
const signedOut = { type: 'account/signedOut' };
const focused = { type: 'attention/gained', meta: { scope: 'local' } };
const launched = session.sessionLaunched({ launchedAt: 0 });
const connected: Action[] = [signedIn, launched, session.connectionOpened(), session.connectionConfirmed()];
const away: Action[] = [...connected, Object({ type: 'attention/lost', meta: { scope: 'local' } })];
const voice: Action[] = [...connected, audioStarted()];
const playing: Action[] = [...voice, playbackStarted({ id: '1', message: 0, item: 0 })];
const oneUnread: Action[] = [...voice, from('ai')];
const closed = (reason: string) => session.connectionClosed({ code: 1000, reason });

const reducer = combineReducers({ ...mainReducers, account: accountReducer });

test.each<[what: string, steps: readonly Action[], icon: string, toolTip: string, unread?: number]>([
  ['no action', [], 'disconnected', 'Parley: signed out'],
  ['a pong', connected, 'connected', 'Parley: connected'],
  ['a close with a reason', [...connected, closed('no')], 'disconnected', 'Parley: disconnected'],
  ['signed out', [...connected, signedOut, session.sessionEnded()], 'disconnected', 'Parley: signed out'],
  ['a recording started', [...voice, recordingStarted()], 'recording', 'Parley: recording'],
  ['a playback started', playing, 'connected', 'Parley: playing'],
  ['a recording during a playback', [...playing, recordingStarted()], 'recording', 'Parley: recording'],
  ['two unseen messages', [...away, from('ai'), from('admin')], 'unread', '(2) Parley: connected', 2],
  ['the person’s own message', [...away, from('client')], 'connected', 'Parley: connected'],
  ['a snapshot', [...away, applied({ person: 'A', messages: [] })], 'connected', 'Parley: connected'],
  ['a seen message', [...away, focused, from('ai')], 'connected', 'Parley: connected'],
  ['the window got the focus again', [...away, from('ai'), focused], 'connected', 'Parley: connected'],
  ['an unread one and a close', [...away, from('ai'), closed('')], 'unread', '(1) Parley: disconnected', 1],
  ['unread and a recording', [...oneUnread, recordingStarted()], 'recording', '(1) Parley: recording', 1],
  ['unread and the end', [...oneUnread, session.sessionEnded()], 'disconnected', 'Parley: disconnected'],
])('tray, badge and title after: %s', (...[, steps, icon, toolTip, unread = 0]) => {
  const isSignedIn = steps.includes(signedIn) && !steps.includes(signedOut);
  const state = steps.reduce(reducer, reducer(undefined, { type: '' }));
  expect([trayState(state), state.attention.unread]).toEqual([{ icon, toolTip, isSignedIn }, unread]);
  expect(windowTitle(state.attention)).toBe(unread === 0 ? 'Parley' : `(${unread}) Parley`);
});

test('sets the menu again when a person signs in or out, and when Reconnect becomes possible or impossible', () => {
  const listeners = createListeners(mainLog().log, () => {});
  const store = configureStore({ reducer, middleware: () => new Tuple<[Middleware]>(listeners.middleware) });
  const set = vi.spyOn(Menu, 'setApplicationMenu');
  setUpMenu({ store, listeners, commands });
  const again = [session.connectionOpened(), session.connectionConfirmed()];
  const counts = [...connected, closed('maintenance'), ...again, signedOut].map((step) => {
    store.dispatch(step);
    return set.mock.calls.length;
  });
  expect(counts).toEqual([2, 2, 2, 2, 3, 3, 4, 5]);
});

test('the system opens and shows windows and says that the machine was asleep; the tray has the icon, the tool tip and the menu of each state, and shows the window at a click; a notification is shown', async () => {
  const listeners = createListeners(mainLog().log, () => {});
  const store = configureStore({ reducer, middleware: () => new Tuple<[Middleware]>(listeners.middleware) });
  const messenger = { onResume: vi.fn<() => void>() };
  const seen = vi.spyOn(store, 'dispatch');
  const [icon, toolTip] = [vi.spyOn(Tray.prototype, 'setImage'), vi.spyOn(Tray.prototype, 'setToolTip')];
  const menu = vi.spyOn(Tray.prototype, 'setContextMenu');
  const notified = vi.spyOn(Notification.prototype, 'show');
  Menu.setApplicationMenu(null);
  setUpDesktop({ store: Object(store), listeners, messenger });
  expect(Menu.getApplicationMenu()).not.toBeNull();
  const icons = new Set<string>();
  for (const [steps, tip] of [
    [[], 'Parley: signed out'],
    [connected, 'Parley: connected'],
    [oneUnread, '(1) Parley: connected'],
    [[recordingStarted()], '(1) Parley: recording'],
  ] as const) {
    for (const action of steps) store.dispatch(action);
    icons.add(Object(icon.mock.lastCall?.[0]).toDataURL());
    expect([toolTip.mock.lastCall, Object(menu.mock.lastCall?.[0]).items[0].label]).toEqual([[tip], tip]);
  }
  expect(icons.size).toBe(4);
  store.dispatch(applied({ ring: true }));
  expect(notified).toHaveBeenCalledOnce();
  seen.mockClear();
  Object(toolTip.mock.contexts[0]).emit('click');
  for (const event of ['second-instance', 'activate', 'new-window-for-tab']) Object(app).emit(event);
  const types = seen.mock.calls.map(([{ type }]) => type);
  expect(types).toEqual([...Array(3).fill('window/showRequested'), 'window/openRequested']);
  vi.spyOn(process, 'platform', 'get').mockReturnValueOnce('darwin');
  store.dispatch(session.sessionEnded());
  expect(Object(icon.mock.lastCall?.[0]).isTemplateImage()).toBe(true);
  Object(powerMonitor).emit('resume');
  expect(messenger.onResume).toHaveBeenCalledOnce();
});

const LINE = { level: 40, time: '2026-11-20T09:00:00.000Z', msg: 'said' };
const SAID = '2026-11-20T09:00:00.000Z warn said';

function shownOf(...lines: object[]): readonly string[] {
  const tail = logTail();
  for (const fields of lines) tail.write(JSON.stringify({ ...LINE, ...fields }));
  return tail.lines();
}

test('describes the state in words and numbers, and contains no personal data of a session', async () => {
  const main = await startMain();
  const { store, kept, path } = main;
  const { preferences, audio, ...others } = store.getState();
  const withAudio: typeof preferences = { ...preferences, audio: true, fromEnvironment: ['audio'] };
  const early = { ...others, preferences: withAudio, audio: { ...audio, isRecording: true } };
  store.dispatch({ type: 'account/signedIn', payload: { id: 'account-1', platform: 'ws://127.0.0.1' } });
  main.launch();
  for (const frame of [
    { person: 'Ada Lovelace', messages: [] },
    { id: 'm-1', modifier: 'ai', content: [], context: 'Context Label', avatar: 'QVZBVEFS' },
    { category: 'text', text: 'the secret text' },
  ])
    main.receiveUpdate(frame);
  main.receive('{"text": 12, "secret": "a broken secret"}');
  main.receive({ name: 'a secret that waits' });
  store.dispatch(session.connectionClosed({ code: 4000, reason: `sorry ada@example.org` }));
  kept.log.warn({ path, account: 'account-1', error: { message: 'the secret text' } }, 'a careless line');
  const log = shownOf(...kept.lines().map((one) => Object.assign(one, { level: 40 })));
  const common = { system: 'linux 6.1.0 x64', windows: 3, state: store.getState(), log };
  const on = (versions: object, platform: Settings['platform'], shown: Partial<typeof common> = {}) => {
    const about = aboutParley({ ...versions, node: '22.1.0' });
    expect(about.parley).toBe(PARLEY_VERSION);
    const settings = { capture: platform !== null, platform };
    const text = diagnosticsText({ ...common, ...shown, about: { ...about, parley: '1.2.3' }, settings });
    return `With the platform ${platform?.platformUrl}\n\n${text}`;
  };
  const [electron, apiUrl] = [{ electron: '45.4.1', chrome: '156.0.1' }, 'http://127.0.0.1:1'];
  const texts = [
    ...['wss://127.0.0.1:1', 'ws://127.0.0.1:1'].map((platformUrl) => on(electron, { apiUrl, platformUrl })),
    on({}, null),
    on({}, null, { state: early, log: [] }),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/diagnostics.txt');
});

test('shows the last fifty lines of the log in their order, with the fields that are codes, and no others', () => {
  const last = shownOf(...Array.from({ length: 60 }, (_, n) => ({ code: n })));
  expect(last).toEqual(Array.from({ length: 50 }, (_, n) => `${SAID} code=${n + 10}`));
  const fields = { code: 'ENOENT', reason: 'notJson', bytes: 12, category: 'text', channel: 'nav' };
  const shown = ' code=ENOENT reason=notJson category=text channel=nav bytes=12';
  const hidden = [{ path: '/home/ada' }, { error: { message: 'x' } }, { channel: 'x'.repeat(41) }];
  const words = { reason: 'You, ada@example.org, are not welcome', category: ['a'] };
  expect(shownOf(fields, ...hidden, words)).toEqual([SAID + shown, SAID, SAID, SAID, SAID]);
  const levels = [30, 50, 60].map((level) => shownOf({ level }).join());
  expect(levels).toEqual(['info', 'error', 'fatal'].map((level) => SAID.replace('warn', level)));
});

const setOn = (platform: string) => {
  const set: string[] = [];
  identifyProgram({ setName: (name) => set.push(name), setAppUserModelId: (id) => set.push(id) }, platform);
  return set.sort();
};

test('sets the name and, on Windows, the identifier of the installers', () => {
  expect(setOn('win32')).toEqual(['Parley', APP_ID].sort());
  for (const other of ['linux', 'darwin']) expect(setOn(other)).toEqual(['Parley']);
  const config = readFileSync(resolve(import.meta.dirname, '../../../packaging/config.mjs'), 'utf8');
  expect(config).toContain(`appId: '${APP_ID}'`);
  expect(config).toContain("productName: 'Parley'");
});
