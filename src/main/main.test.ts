import { EventEmitter, once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as user from '#shared/actions/userActions.ts';
import { noteDismissed, stateReported } from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import { virtualClock } from '#shared/clock.ts';
import { blobPath } from '#shared/conversation/blobReference.ts';
import { SYNC_ACTION } from '#shared/ipc/channels.ts';
import { BACKLOG_FROM, START_APPLIED_MS } from '#shared/limits.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { changes } from '#tests/builders/changes.ts';
import * as electron from '#tests/builders/electron.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { mainEncryption, mockElectron } from '#tests/builders/mainStore.ts';
import { message } from '#tests/builders/updateOf.ts';
import { UNEXPECTED_ERROR } from './base/handleUncaughtErrors.ts';
import { FakeWindow } from './window/testing/fakeWindow.ts';

/** The arguments of the last call of each method of a part. */
const given: Record<string, unknown[]> = {};

/** Creates a part of Electron: an emitter that has every other method too. */
function part(name: string, own: object = {}) {
  const get = (target: object, key: string) =>
    Reflect.get(target, key) ?? ((...args: unknown[]) => Boolean((given[`${name} ${key}`] = args)));
  return Object(new Proxy(Object.assign(new EventEmitter(), own), { get }));
}

const OTHERS = ['protocol', 'screen', 'Menu', 'nativeImage', 'globalShortcut'];

const getAllWebContents = () =>
  FakeWindow.all.map(({ webContents: { send } }) => ({ send, getURL: () => '' }));

const isAction = ([channel]: readonly unknown[]) => channel === SYNC_ACTION;

/** Runs the program itself with a stored account. Only Electron, the clock, the log, the lock and the socket are replaced. */
async function runProgram() {
  const [folder, clock, { log }, { changed, until }] = [mainFolder(), virtualClock(), mainLog(), changes()];
  const app = part('app', { quit: () => app.emit('quit') });
  const [powerMonitor, defaultSession] = [part('power'), part('session')];
  const encryption = mainEncryption(1);
  const program = { app, powerMonitor, session: { defaultSession }, safeStorage: encryption };
  FakeWindow.all = [];
  FakeWindow.note = changed;
  mockElectron({
    parts: {
      ...Object.fromEntries(OTHERS.map((name) => [name, part(name)])),
      ...program,
      BrowserWindow: FakeWindow,
      webContents: { getAllWebContents },
      Tray: new Proxy(EventEmitter, { construct: () => part('tray') }),
    },
  });
  const openSocket = (options: object) => ((given['socket'] = [options]), part('socket'));
  const createLog = (options: { onFailure(error: Error): void }) => {
    given['log'] = [options];
    options.onFailure(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    return { log, tail: {} };
  };
  const claim = { isHeld: true, by: new Array<unknown>(), isIntact: () => claim.isHeld };
  const claimDataFolder = (...by: unknown[]) => Object.assign(claim, { by });
  const replaced: Readonly<Record<string, object>> = {
    '#shared/clock.ts': { systemClock: () => clock },
    '#node/claimDataFolder.ts': { claimDataFolder },
    './base/createLog.ts': { createLog },
    './session/platformSocket.ts': { openSocket },
  };
  for (const [module, other] of Object.entries(replaced))
    vi.doMock(module, async (original) => ({ ...(await original<object>()), ...other }));
  const builtIn = { API_URL: 'http://here', PLATFORM_URL: 'ws://here', SECRET: 's' };
  for (const [name, value] of Object.entries(builtIn)) vi.stubEnv(`PARLEY_BUILT_IN_${name}`, value);
  vi.stubEnv('PARLEY_DATA_DIR', folder).stubEnv('PARLEY_CAPTURE', '1');
  const on = vi.spyOn(process, 'on').mockReturnThis();
  onTestFinished(() => {
    for (const module of Object.keys(replaced)) vi.doUnmock(module);
    vi.unstubAllEnvs();
    on.mockRestore();
  });
  const encrypted = (await encryption.encryptStringAsync('ada')).toString('base64');
  const stored = { version: 1, platform: 'built-in', account: { encrypted } };
  writeFileSync(join(folder, 'account.json'), JSON.stringify(stored));
  await import('./main.ts');
  await until(() => FakeWindow.all.length > 0);
  const [window = expect.unreachable()] = FakeWindow.all;
  const event = { sender: window.webContents, senderFrame: window.mainFrame };
  const [{ url, events }] = Object(given['socket']);
  const parts = { app, clock, defaultSession, events, folder, powerMonitor, claim, url, window };
  return {
    ...parts,
    act: (action: object, ...number: number[]) => electron.ipcMain.emit('action', event, action, ...number),
    receive: (frame: object) => events.frame(JSON.stringify(frame), Buffer.from('')),
    uncaught: on.mock.calls.find(([name]) => String(name) === 'uncaughtException')?.[1] ?? expect.unreachable,
    /** Returns what the first window gets during a task: the types of the actions, then the messages. */
    during(task: () => unknown): unknown[] {
      window.sent.length = 0;
      task();
      const types = window.sent.filter(isAction).map(([, action]) => Object(action).type);
      return [...types, ...window.sent.filter((sent) => !isAction(sent))];
    },
  };
}

test('the program gives each part what it needs of the others, as it is at the moment, until it has quit', async () => {
  const main = await runProgram();
  const { act, app, clock, during, events, folder, receive, window } = main;
  expect([main.claim.by, main.url]).toEqual([[folder, 'web'], 'ws://here/ada']);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  // The session was launched before.
  expect(window.sent).toEqual([]);
  expect([given['app setName'], given['app setPath']]).toEqual([['Parley'], ['userData', folder]]);
  events.opened();
  const load = () => during(() => window.webContents.emit('did-finish-load'));
  const inUse = ['assistantInUse', { isDemonstration: true, model: null }];
  expect(load()).toEqual([['account', 'ada'], inUse, ['requestState']]);
  const [isAllowed = expect.unreachable()] = Object(given['session setPermissionCheckHandler']);
  const isAudioAllowed = () =>
    isAllowed(null, 'media', 'parley://app', { isMainFrame: true, mediaType: 'audio' });
  expect(isAudioAllowed()).toBe(false);
  act(user.preferencesChanged({ audio: true }));
  expect(isAudioAllowed()).toBe(true);
  act(user.recordingToggleRequested());
  const lost = [
    ['record', false],
    ['capture', 'discard', 1],
    ['voiceNote', 'The recording was dropped: its window was closed or reloaded. Nothing was sent.'],
  ];
  expect(load()).toEqual(['audio/recordingCancelled', ['account', 'ada'], inUse, ...lost, ['requestState']]);
  act(user.inspectorRequested());
  receive({ person: 'Ada', messages: [] });
  receive(message('1', { avatar: 'AAAA' }));
  const unsettled = [300, START_APPLIED_MS].map((ms) => (clock.advance(ms), read('starting.json').unsettled));
  expect(unsettled).toEqual([1, 0]);
  const { blobReference } = await import('./store/actionForWindows.ts');
  const path = blobPath(blobReference('AAAA'), { message: 0, item: 'avatar' });
  const [, answer] = Object(given['protocol handle']);
  expect((await answer({ url: `parley://app${path}` })).status).toBe(200);
  for (const event of ['activate', 'second-instance', 'new-window-for-tab']) app.emit(event);
  const titles = FakeWindow.all.map((one) => [Reflect.get(one.options, 'title'), ...one.titles]);
  expect(titles).toEqual([['Parley', '(1) Parley'], ['Inspector', 'Inspector'], ['(1) Parley']]);
  main.powerMonitor.emit('resume');
  expect(given['socket onResume']).toEqual([]);

  expect(during(() => Object(given['log'])[0].onRecovery())).toEqual(['writing/resumed']);
  expect(during(() => main.uncaught(Object(new Error('unexpected'))))).toEqual(['notices/raised']);
  act(stateReported({ state: { ...initialWindowState, notes: { text: limitText(UNEXPECTED_ERROR) } } }), 0);
  expect(during(() => act(noteDismissed(), 1))).toEqual(['notices/seen']);
  for (let waiting = 0; waiting <= BACKLOG_FROM; waiting++) receive({ name: 'Ada' });
  main.claim.isHeld = false;
  window.emit('move');
  const types = ['backlog/reported', 'sync/heartbeat', 'notices/raised'];
  expect(during(() => clock.advance(2000))).toEqual(expect.arrayContaining(types));
  const contents = part('page');
  app.emit('web-contents-created', {}, contents);
  expect(contents.eventNames()).toEqual(expect.arrayContaining(['context-menu', 'will-navigate']));
  const preventDefault = vi.fn<() => void>();
  const item = { getURL: () => '', getInitiatorOrigin: () => '' };
  main.defaultSession.emit('will-download', { preventDefault }, item);

  FakeWindow.all = [window];
  const close = async () => (window.close(), await nextTurn(), [window.isHidden, window.isDestroyed()]);
  expect(await close()).toEqual([true, false]);
  for (const theme of ['dark', 'light'] as const) act(user.preferencesChanged({ theme }));
  app.emit('before-quit');
  expect(given['socket end']).toEqual([1001, '']);
  expect(await close()).toEqual([true, true]);
  const quitting = once(app, 'quit');
  app.emit('will-quit', { preventDefault });
  await quitting;
  app.emit('will-quit', { preventDefault });
  // For the download, and for the recording until it is complete.
  expect(preventDefault).toHaveBeenCalledTimes(2);
  expect(read('preferences.json')).toEqual({ audio: true, theme: 'light' });
  const arrivals = [['1', expect.any(Number)]];
  expect(read('arrivals.json')).toMatchObject({ platform: 'built-in', arrivals });
  const files = 'account.json arrivals.json captures preferences.json starting.json window.json';
  const left = readdirSync(folder).sort().join(' ');
  expect([left, readdirSync(join(folder, 'captures')).length]).toEqual([files, 1]);
});

test.each([
  [{ PARLEY_PORT: '65536' }, 'PARLEY_PORT takes a port, 0 to 65535\n'],
  [
    { PARLEY_DATA_DIR: '/dev/null' },
    expect.stringMatching(/^cannot use the data folder \/dev\/null: .*\n$/u),
  ],
  [{}, undefined],
])(
  'ends with status 2 and one line when its settings are wrong: %j, and hands its start over to a program that runs',
  async (variables, line) => {
    const quit = vi.fn<() => void>();
    const app = part('app', { requestSingleInstanceLock: () => false, quit });
    mockElectron({ parts: { ...Object.fromEntries(OTHERS.map((name) => [name, part(name)])), app } });
    vi.stubEnv('PARLEY_DATA_DIR', mainFolder());
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const exit = vi.spyOn(process, 'exit').mockThrow(new Error('exit'));
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks());
    const end = await import('./main.ts').then(() => 'handed over', String);
    const ends = line === undefined ? ['handed over', [[]], [], []] : ['Error: exit', [], [[2]], [[line]]];
    expect([end, quit.mock.calls, exit.mock.calls, write.mock.calls]).toEqual(ends);
  },
);
