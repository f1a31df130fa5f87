import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Action } from '@reduxjs/toolkit';
import { expect, test, vi } from 'vitest';
import type { ActionParts } from './performDialogActions.ts';
import { FakeWindow, windowOptions } from '../window/testing/fakeWindow.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import { UNEXPECTED_ERROR } from '../base/handleUncaughtErrors.ts';
import type { Messenger } from '#main/session/messenger.ts';
import * as electron from '#tests/builders/electron.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { ASSISTANT_RATE, ENCODE_REQUESTS, MESSAGE_RATE, SAVE_RATE } from '#shared/limits.ts';
import type { UserAction } from '#shared/actions/actionTable.ts';
import { accountChanged } from '#shared/actions/mainActions.ts';
import * as session from '#shared/actions/sessionActions.ts';
import * as user from '#shared/actions/userActions.ts';
import { MESSAGE_LISTENED } from '#shared/ipc/channels.ts';
import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import { readSettings } from '#shared/settings.ts';
import { changes } from '#tests/builders/changes.ts';
import { updateOf } from '#tests/builders/updateOf.ts';

/** Rates that few messages, and the size of one file, exceed. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  MESSAGE_RATE: { burst: 150, perSecond: 1 },
  SAVE_BYTES_RATE: { burst: 1000, perSecond: 1000 },
}));

/** What happened, in order: actions by type, effects in words. */
let order: string[] = [];
const count = (name: string) => order.filter((one) => one === name).length;
let actions: Action[] = [];
const { changed, until: untilTrue } = changes();
const note = (name: string): void => {
  order.push(name);
  changed();
};
const until = (name: string, times = 1) => untilTrue(() => count(name) >= times);
const effect =
  <T>(name: string, result: T) =>
  (): T => {
    note(name);
    return result;
  };

const noteCall =
  (name: string) =>
  (...args: unknown[]) =>
    note([name, ...args.map((arg) => JSON.stringify(arg))].join(' '));

/** Has every method: each records its own name and its arguments, except those that are given. */
const recording = <T extends object>(given: Partial<T>): T =>
  Object(new Proxy(given, { get: (own, name) => Reflect.get(own, name) ?? noteCall(String(name)) }));

const messenger = recording<Messenger>({
  saveReceived: effect('saveReceived', Promise.resolve({ path: import.meta.filename })),
  signIn: effect('signIn', Promise.resolve('No.')),
  signOut: effect('signOut', Promise.resolve()),
  refuseSignInsDuring(task) {
    note('begins');
    return task().finally(effect('ends', undefined));
  },
});

type Assistant = NonNullable<ActionParts['assistant']>;

const FAILED: AssistantResult = { kind: 'failed', field: null, message: 'Wrong key.' };
const TESTED: AssistantResult = { kind: 'tested', model: 'm', models: ['m', 'n'] };
const ASSISTANT = recording<Assistant>({
  dialogData: () => ({ url: '', model: '', prompt: '', hasKey: false, variables: [] }),
  save: effect('assistant saved', Promise.resolve({ kind: 'saved' })),
  test: effect('assistant tested', Promise.resolve(FAILED)),
  inUse: () => ({ isDemonstration: true, model: null }),
  models: effect('models listed', Promise.resolve(TESTED)),
});

let copied = '';
const clipboard = { writeText: async (text: string) => ((copied = text), note('copied')) };
const clearStorageData = effect('storage cleared', Promise.resolve());
const defaultSession = { clearStorageData, clearCache: effect('cache cleared', Promise.resolve()) };

/** Starts the entry points and the listeners of main, with two open windows; effects are recorded and not performed. */
async function start(assistant = ASSISTANT) {
  const main = await mainStore();
  const { store, listeners, clock, kept } = main;
  FakeWindow.all = [];
  FakeWindow.note = note;
  const app = Object.assign(new EventEmitter(), { quit: effect('quit', undefined) });
  const modules = { app, clipboard, session: { defaultSession } };
  const nativeImage = { createFromDataURL: () => ({}) };
  vi.doMock('electron', () => ({ ...electron, ...modules, BrowserWindow: FakeWindow, nativeImage }));
  const keep = (action: Action) => {
    actions.push(action);
    note(action.type);
  };
  listeners.startListening({ predicate: () => true, effect: keep });
  const { performUserActions } = await import('./performUserActions.ts');
  const { setUpChannels } = await import('../ipc/setUpChannels.ts');
  const { createDesktopCommands } = await import('../desktop/desktopCommands.ts');
  const { openWindow } = await import('../window/openWindow.ts');
  const parts = { store, listeners, clock, log: kept.log };
  const save = effect('session saved', Promise.resolve({ path: '/home/ada/session' }));
  performUserActions({
    ...parts,
    dataDir: mainFolder(),
    settings: readSettings({}),
    messenger,
    audio: recording<Audio>({}),
    recorder: recording<ActionParts['recorder']>({ save, forget: effect('recording forgotten', undefined) }),
    captures: recording({}),
    preferences: recording({}),
    windowBounds: recording({}),
    tail: recording<ActionParts['tail']>({ lines: () => [] }),
    windowOptions: windowOptions(),
    inspect: effect('inspected', undefined),
    assistant,
  });
  setUpChannels(parts);
  const [event, ofOther] = [1, 2].map(() => {
    const { webContents: sender } = openWindow(windowOptions());
    return Object({ sender, senderFrame: Reflect.get(sender, 'mainFrame') });
  });
  order = [];
  actions = [];
  return {
    ...main,
    desktop: createDesktopCommands(store.dispatch),
    act: (action: UserAction) => void electron.ipcMain.emit('action', event, action),
    actInOther: (action: UserAction) => void electron.ipcMain.emit('action', ofOther, action),
    send: (channel: string, ...args: unknown[]) => void electron.ipcMain.emit(channel, event, ...args),
    invoke: (channel: string, ...args: unknown[]) => electron.ipcMain.invoked(channel, event, args),
  };
}

const TEXT = { category: 'text', text: 'a secret text', blob: null };
const CHANGE = { url: 'http://a-secret', model: 'm', prompt: null, key: 'sk-secret', keepsKey: false };
const CREDENTIALS = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' };

const DIALOGS = ['settings', 'assistant', 'about', 'deleteData', 'export', 'print', 'find'] as const;

const { connectionRequested, startRetryRequested, startSaveRequested, sessionSaveRequested } = user;
const SESSION = [connectionRequested, startRetryRequested, startSaveRequested, sessionSaveRequested];

const OF_WINDOW = [
  user.inspectorRequested(),
  ...(['in', 'out', 'reset'] as const).map((zoom) => user.windowZoomRequested({ zoom })),
  ...DIALOGS.map((dialog) => user.dialogRequested({ dialog })),
  ...SESSION.map((create) => create()),
  ...[user.recordingFailed, user.audioWritten, user.playbackFailed].map((create) => create({ number: 1 })),
  user.recordingToggleRequested(),
  user.playbackRequested({ message: 1, item: 2 }),
  user.playbackStopRequested(),
  user.assistantTestRequested(CHANGE),
  user.assistantSaveRequested(CHANGE),
  user.diagnosticsCopyRequested(),
  user.dataDeletionRequested({ platformFile: false }),
];

/** The actions whose effects take longer than a turn of main, and what their windows receive at the end. */
const ENDS = [
  ['session/saveRequested', 'sent saved'],
  ['start/saveRequested', 'sent saved'],
  ['data/deletionRequested', 'sent requestState'],
] as const;

/** Returns what the windows have received since the last call. */
const received = () =>
  FakeWindow.all.flatMap(({ sent, webContents: { id } }) =>
    sent.splice(0).map((message) => `window ${id} ◀ ${JSON.stringify(message)}`),
  );

test('dispatches each user action before its effects, marked with the window that sent it, and without one when it is of the menu or the tray, and answers that window, else the focused one', async () => {
  const { actInOther, send, invoke, desktop, clock, kept } = await start();
  const performed: string[] = [];
  const perform = async (what: () => unknown) => {
    order = [];
    actions = [];
    void what();
    await untilTrue(() => order.length > 1);
    expect(order[0]).toBe(actions[0]?.type);
    const end = ENDS.find(([type]) => type === order[0])?.[1];
    if (end !== undefined) await until(end);
    await nextTurn();
    // The demonstration has no models.
    expect(order).not.toContain('models listed');
    const [action, ...results] = actions;
    const effects = order.slice(1).flatMap((one) => {
      const result = results.find(({ type }) => type === one);
      return /^(?:sent |focused)/u.test(one) ? [] : [result === undefined ? one : JSON.stringify(result)];
    });
    performed.push(JSON.stringify(action), ...[...effects, ...received()].map((one) => `  ${one}`));
    clock.advance(60_000);
  };
  const channels = [() => invoke('auth', CREDENTIALS), () => send('logout'), () => send('message', TEXT)];
  const nav = [() => send('nav'), () => send('nav', 'close')];
  const sent = OF_WINDOW.map((action) => () => actInOther(action));
  for (const what of [...channels, ...sent, ...nav, ...Object.values(desktop)]) await perform(what);
  Object.assign(FakeWindow.all.at(-1) ?? {}, { hasFocus: true });
  vi.spyOn(clipboard, 'writeText').mockImplementationOnce(async () =>
    expect.fail(String(Reflect.set(Object(FakeWindow.all[0]), 'hasFocus', true))),
  );
  for (const what of [desktop.showAbout, desktop.copyDiagnostics]) await perform(what);
  const text = performed
    .join('\n')
    .replaceAll(/\/[^" ]*\/(?:parley-main-\w+)?/gu, '/…/')
    .replaceAll(/"(parley|node)":"[^"]+"/gu, '"$1":"…"');
  await expect(`${text}\n`).toMatchFileSnapshot('testing/userActions.txt');
  expect(kept.text()).toContain('"warn","msg":"the diagnostics could not be copied to the clipboard"');
  expect(copied).toMatch(/^System: \w+ \S+ \w+\n[^]*^Windows: 2$/mu);
});

test('contract §4 validators: drops a message and refuses a request with other arguments, or of a frame in the page, and logs the channel only', async () => {
  const { send, invoke, kept } = await start();
  const wrong = [
    ['messenger', 'secret'],
    ['message', { ...TEXT, category: 'html' }],
    ['logout', 'secret'],
    ['nav', 'close', 'secret'],
    [MESSAGE_LISTENED, 'secret'],
    ['encode', 'secret'],
    ['auth', { email: 'ada@example.org' }],
  ] as const;
  const refusals: string[] = [];
  for (const [channel, ...args] of wrong) {
    send(channel, ...args);
    refusals.push(String(await invoke(channel, ...args).catch(String)));
  }
  expect(refusals.slice(-2)).toEqual(['encode', 'auth'].map((name) => `Error: ${name}: refused`));
  const [{ webContents: sender, mainFrame } = new FakeWindow()] = FakeWindow.all;
  for (const senderFrame of [{ ...mainFrame }, null]) electron.ipcMain.emit('nav', { sender, senderFrame });
  expect(order).toEqual([]);
  const channels = [...wrong, ['nav'], ['nav']].map(([channel]) => channel);
  const said = channels.map((channel) => [channel, /encode|auth/.test(channel) ? 'a request' : 'a message']);
  expect(kept.lines().map(({ channel, msg }) => [channel, String(msg).slice(0, 9)])).toEqual(said);
  expect(kept.text()).not.toMatch(/secret|ada@/u);
});

test('spec §6.3 encode, §6.3 messenger: answers with base64, after a user action that contains the size only, and requests the snapshot with another one, which sends nothing without a snapshot; encodes one file in each turn of main, and refuses those of a window that waits for too many', async () => {
  const { invoke, send, store, clock } = await start();
  const encode = () => invoke('encode', Uint8Array.of(1, 2, 3).buffer);
  expect(await encode()).toBe('AQID');
  const meta = { scope: 'local', window: 1 };
  expect(actions).toEqual([{ type: 'encoding/requested', payload: { bytes: 3 }, meta }]);
  send('messenger');
  expect(order.splice(0)).toEqual(['encoding/requested', 'snapshot/requested']);
  await nextTurn();
  const results = await Promise.allSettled(Array.from({ length: 100 }, encode));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1 + ENCODE_REQUESTS);
  expect(count('encoding/requested')).toBe(1 + ENCODE_REQUESTS);
  await nextTurn();
  expect(await encode()).toBe('AQID');
  const snapshot = { person: 'Ada', messages: [], more: { of: 'the platform' } };
  store.dispatch(session.updateApplied({ update: updateOf(snapshot), bytes: 1, tick: 0 }));
  FakeWindow.all[0]?.sent.splice(0);
  // Only one waits.
  for (let times = 0; times < 4; times++) send('messenger');
  store.dispatch(session.updateApplied({ update: updateOf({ name: 'Ada L.' }), bytes: 1, tick: 0 }));
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  const [window] = FakeWindow.all;
  expect(window?.sent).toEqual(['Ada', 'Ada L.'].map((person) => ['message', { ...snapshot, person }]));
  for (let times = 0; times < 2; times++) send('messenger');
  window?.destroy();
  await nextTurn();
  clock.advance(60_000);
  expect(window?.sent).toHaveLength(3);
});

test('spec §6.3 account, §6.3 ws: tells every window of the account and the connection, and only a page that listens of the updates, without notifications', async () => {
  const { send, store } = await start();
  (await import('../window/messengerWindows.ts')).excludeWindow(Object(new FakeWindow()));
  const apply = (frame: object) =>
    void store.dispatch(session.updateApplied({ update: updateOf(frame), bytes: 1, tick: 0 }));
  apply({ name: 'before' });
  send(MESSAGE_LISTENED);
  for (const frame of [{ name: 'Ada' }, { notify: true }]) apply(frame);
  store.dispatch(accountChanged({ account: false, reason: 'unauthorized' }));
  store.dispatch(session.connectionClosed({ code: 1000, reason: 'the status is the same' }));
  for (const happen of [session.connectionOpened, session.connectionConfirmed]) store.dispatch(happen());
  const told = [
    ['account', false, 'unauthorized'],
    ['ws', 0],
  ];
  expect(FakeWindow.all.map(({ sent }) => sent)).toEqual([[['message', { name: 'Ada' }], ...told], told, []]);
});

test('logs an error in an effect without its message, shows a note, and performs the next user action', async () => {
  const { send, invoke, kept, errorNotes } = await start();
  vi.spyOn(Object(FakeWindow.all[0]), 'minimize').mockThrow(new RangeError('a secret'));
  vi.spyOn(messenger, 'signIn').mockRejectedValueOnce(new RangeError('a secret'));
  send('nav');
  await expect(invoke('auth', CREDENTIALS)).rejects.toThrow('a secret');
  send('nav', 'close');
  expect(order).toEqual(['window/minimizeRequested', 'signIn/requested', 'window/closeRequested', 'closed']);
  expect(errorNotes).toEqual([UNEXPECTED_ERROR, UNEXPECTED_ERROR]);
  const line = { level: 'error', raisedBy: 'effect', error: 'RangeError', msg: 'an error in a listener' };
  expect(kept.lines()).toMatchObject([line, line]);
  expect(kept.text()).not.toContain('secret');
});

test('drops the recording when the data was deleted, then requests what the windows show, also after a deletion that failed', async () => {
  const { act } = await start();
  (await import('../window/messengerWindows.ts')).excludeWindow(Object(new FakeWindow()));
  vi.spyOn(messenger, 'refuseSignInsDuring').mockRejectedValueOnce(new Error('a secret'));
  for (let times = 0; times < 3; times++) act(user.dataDeletionRequested({ platformFile: false }));
  await until('sent requestState', 4);
  expect(FakeWindow.all).toHaveLength(2);
  const steps = order.filter((one) => ['begins', 'ends', 'recording forgotten'].includes(one));
  expect(steps.slice(0, 3)).toEqual(steps.slice(3));
  const after = ['data/deleted', 'notices/deletionAnnounced', 'sent assistantInUse', 'sent requestState'];
  expect([...new Set(order)].slice(-5)).toEqual(['recording forgotten', ...after]);
});

test('contract §4 validators: drops what a window sends over its rate, and accepts it again later; saves no more sessions than their rate allows, and none while the sizes of those before exceed the rate', async () => {
  const { act, actInOther, kept, clock } = await start();
  for (let at = 0; at < MESSAGE_RATE.burst + 50; at++) act(user.playbackStopRequested());
  expect(actions).toHaveLength(MESSAGE_RATE.burst);
  expect(kept.text()).toContain('the messages of a window are over the limit');
  clock.advance(1000);
  for (const send of [act, actInOther, actInOther]) send(user.playbackStopRequested());
  expect(actions).toHaveLength(MESSAGE_RATE.burst + 3);
  clock.advance(600_000);
  act(user.sessionSaveRequested());
  for (let at = 1; at < SAVE_RATE.burst + 3; at++) act(user.sessionSaveRequested());
  await until('sent saved', SAVE_RATE.burst + 3);
  expect(count('session saved')).toBe(SAVE_RATE.burst);
  expect(count('session/saveFailed')).toBe(3);
  expect(JSON.stringify(sentOn('saved'))).toContain('saved too often: wait a minute, then save again."}');
  clock.advance(60_000);
  act(user.sessionSaveRequested());
  expect(count('session saved')).toBe(SAVE_RATE.burst + 1);
  // Only the size of the first one refuses the second.
  clock.advance(600_000);
  act(user.startSaveRequested());
  actInOther(user.startSaveRequested());
  await until('sent saved', SAVE_RATE.burst + 6);
  expect([count('saveReceived'), count('start/saved'), count('start/saveFailed')]).toEqual([1, 1, 1]);
});

/** Starts main with an assistant whose tests end when they are aborted, or when `finish` gives their results. */
async function startWithAssistant(model: string | null = 'm') {
  let chosen = model;
  const results = new EventEmitter();
  const aborted: unknown[] = [];
  const main = await start({
    ...ASSISTANT,
    async test(change, signal) {
      await Promise.race([once(results, 'tested'), once(signal, 'abort')]);
      if (signal.aborted) aborted.push(change);
      changed();
      return signal.aborted ? FAILED : TESTED;
    },
    async models({ aborted: isAborted }) {
      await Promise.resolve();
      chosen ??= 'first';
      return isAborted ? FAILED : { ...TESTED, model: chosen };
    },
    async save() {
      chosen = null;
      return { kind: 'saved' };
    },
    async chooseModel(name) {
      if (name === 'unknown') return FAILED;
      chosen = name;
      return { kind: 'chosen' };
    },
    inUse: () => ({ isDemonstration: false, model: chosen }),
  });
  return { ...main, aborted, finish: () => results.emit('tested') };
}

const types = () => actions.map(({ type }) => type).filter((type) => type.startsWith('assistant/'));

const sentOn = (channel: string) =>
  FakeWindow.all.map(({ sent }) => sent.flatMap(([of, arg]) => (of === channel ? [arg] : [])));
const requestTest = user.assistantTestRequested(CHANGE);

test('answers the windows that requested a test, after an action without the settings, and cancels the test of one only; ends a test without an answer when the window requests another one, or opens the dialog again', async () => {
  const { act, actInOther, finish, aborted } = await startWithAssistant();
  act(requestTest);
  actInOther(requestTest);
  act(user.assistantTestCancelRequested());
  await until('sent assistantResult');
  expect(sentOn('assistantResult')).toEqual([[FAILED], []]);
  finish();
  await until('sent assistantResult', 2);
  expect(sentOn('assistantResult')).toEqual([[FAILED], [TESTED]]);
  act(requestTest);
  act(user.assistantTestRequested(null));
  await untilTrue(() => aborted.length === 2);
  act(user.dialogRequested({ dialog: 'assistant' }));
  await untilTrue(() => aborted.length === 3);
  await nextTurn();
  expect(aborted).toEqual([CHANGE, CHANGE, null]);
  expect(sentOn('assistantResult')).toEqual([[FAILED], [TESTED]]);
});

test('lists the models for their menu, but not after another dialog was opened; requests the name of the model at the start and after a save when none is set, and tells it to all windows', async () => {
  const { act, actInOther } = await startWithAssistant();
  actInOther(user.dialogRequested({ dialog: 'models' }));
  await until('sent assistantResult');
  act(user.dialogRequested({ dialog: 'models' }));
  act(user.dialogRequested({ dialog: 'assistant' }));
  actInOther(user.dialogRequested({ dialog: 'models' }));
  await until('sent assistantResult', 2);
  expect(sentOn('assistantResult')).toEqual([[], [TESTED, TESTED]]);
  expect(sentOn('assistantInUse').map(({ length }) => length)).toEqual([3, 3]);
  expect(sentOn('models').map(({ length }) => length)).toEqual([1, 2]);
  const unnamed = await startWithAssistant(null);
  await until('sent assistantInUse', 2);
  unnamed.act(user.assistantSaveRequested(CHANGE));
  await until('sent assistantInUse', 6);
  const told = ['first', null, 'first'].map((model) => ({ isDemonstration: false, model }));
  expect(sentOn('assistantInUse')).toEqual([told, told]);
});

test.each([requestTest, user.dialogRequested({ dialog: 'models' }), user.assistantSaveRequested(CHANGE)])(
  'refuses $type over the rate of the assistant, and accepts it again later',
  async (request) => {
    const { act, clock } = await start();
    const isRefused = async (times: number) => {
      act(request);
      await until('sent assistantResult', times);
      return JSON.stringify(sentOn('assistantResult')[0]?.at(-1)).includes('too often: wait a few s');
    };
    const { burst } = ASSISTANT_RATE;
    for (let at = 1; at <= burst + 1; at++) expect(await isRefused(at)).toBe(at > burst);
    clock.advance(60_000);
    expect(await isRefused(burst + 2)).toBe(false);
  },
);

test('chooses a model, tells it to all windows before the answer, and has its name in no action', async () => {
  const { act, kept } = await startWithAssistant();
  act(user.assistantModelRequested('a-secret'));
  await until('sent assistantResult');
  expect(order.slice(-3)).toEqual(['sent assistantInUse', 'sent assistantInUse', 'sent assistantResult']);
  expect(sentOn('assistantInUse')[1]).toEqual([{ isDemonstration: false, model: 'a-secret' }]);
  act(user.assistantModelRequested('unknown'));
  await until('sent assistantResult', 2);
  expect(sentOn('assistantResult')).toEqual([[{ kind: 'chosen' }, FAILED], []]);
  const after = ['modelRequested', 'saved', 'modelRequested', 'saveFailed'];
  expect(types()).toEqual(after.map((type) => `assistant/${type}`));
  expect(kept.text()).not.toContain('a-secret');
});
