import { expect, test } from 'vitest';
import * as act from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import { connectionRequested } from '#shared/actions/userActions.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { accountChanged, noticeRaised, windowOpened } from '#shared/actions/mainActions.ts';
import { showNotices as followInWindow } from '#renderer/listeners/showNotices.ts';
import { testNotices } from '#tests/builders/mainRecorder.ts';
import { ipcMain } from '#tests/builders/electron.ts';
import { openPage, openTestWindow } from '#tests/builders/openPage.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { HEARTBEAT_MS, STATE_TEXT_LENGTH, WINDOW_STATE_RATE } from '#shared/limits.ts';
import { boundedSize } from './receiveActions.ts';

async function start() {
  const main = await startMain();
  const { receiveActions, createMessageFilter } = await import('./receiveActions.ts');
  const { showNotices } = await import('../window/createNotices.ts');
  const numbers = await import('../window/messengerWindows.ts');
  const { log } = main.kept;
  showNotices(main.listeners);
  receiveActions({ ...main, log, isAdmitted: createMessageFilter(main.clock, log) });
  const openWith = <T extends { readonly page: object }>(window: T): T => {
    // The fake's page is the window too.
    main.store.dispatch(windowOpened(numbers.numberWindow(Object(window.page))));
    return window;
  };
  return {
    ...main,
    open: () => openWith(openTestWindow()),
    /** Opens a page whose script sends what the test wants. */
    openPage: (options?: Parameters<typeof openPage>[0]) => openWith({ page: openPage(options) }).page,
    own: (window = 1) => main.store.getState().windows[window]?.own,
  };
}

test('folds the state that each window sends into main’s copy of it, by actions with its number that no window gets', async () => {
  const { open, own, store, listeners } = await start();
  const seen: unknown[] = [];
  listeners.startListening({ type: 'view/changed', effect: (action) => void seen.push(action) });
  const [first, second] = [open(), open()];
  const { sequence } = store.getState();
  first.store.dispatch(act.viewChanged({ view: 'login' }));
  first.store.dispatch(act.signInFormEdited({ email: 'ada@example.org', name: '' }));
  second.store.dispatch(act.viewChanged({ view: 'conversation' }));
  second.store.dispatch(act.textBoxOpened({ text: 'h' }));
  await first.page.deliver();
  await second.page.deliver();
  expect([own(1), own(2)]).toEqual([first.store.getState().own, second.store.getState().own]);
  expect(own(1)).not.toEqual(own(2));
  expect(seen[0]).toEqual({ ...act.viewChanged({ view: 'login' }), meta: { scope: 'local', window: 1 } });
  expect(store.getState().sequence).toBe(sequence);
});

test('refuses an action of the state without a number, or with another one, or of another frame or page than its window’s', async () => {
  const { openPage: open, own, kept } = await start();
  const page = open();
  const state = act.stateReported({ state: { ...initialWindowState, textBox: 'a' } });
  for (const more of [[], [-1], [1.5], ['0'], [0, 0]]) page.ipcRenderer.send('action', state, ...more);
  await page.deliver();
  const sender = Object(page.webContents);
  for (const frame of [null, { ...sender.mainFrame }, { origin: 'https://elsewhere' }])
    ipcMain.emit('action', { sender, senderFrame: frame }, state, 0);
  expect([own(), kept.lines().length]).toEqual([initialWindowState, 8]);
});

test('requests the state when an action of it is missing, again with the next heartbeat, and drops others until it arrives, also with the numbers of a reloaded page', async () => {
  const { openPage: open, own, clock } = await start();
  const page = open();
  const requests = () => page.sent.filter(([channel]) => channel === 'requestState');
  const send = (number: number, action: object) => page.ipcRenderer.send('action', action, number);
  send(0, act.stateReported({ state: initialWindowState }));
  send(2, act.textBoxEdited({ text: 'lost one' }));
  send(3, act.textBoxEdited({ text: 'and this' }));
  await page.deliver();
  expect([requests(), own()]).toEqual([[['requestState']], initialWindowState]);
  clock.advance(HEARTBEAT_MS);
  expect(requests()).toEqual([['requestState'], ['requestState']]);
  send(4, act.stateReported({ state: { ...initialWindowState, textBox: 'all' } }));
  send(5, act.textBoxEdited({ text: 'all of it' }));
  await page.deliver();
  expect(own()?.textBox).toBe('all of it');
  clock.advance(HEARTBEAT_MS);
  expect(requests().slice(2)).toEqual([['requestState', 6]]);
  // The page is reloaded.
  send(0, act.stateReported({ state: initialWindowState }));
  send(1, act.viewChanged({ view: 'login' }));
  await page.deliver();
  expect([own(), requests().length]).toEqual([{ ...initialWindowState, view: 'login' }, 3]);
});

test.each([
  ['an action of main about a session', { type: 'session/ended' }],
  ['an action of main about a window', { type: 'window/closed', payload: { number: 2 } }],
  ['an action of another window', { ...act.viewChanged({ view: 'login' }), meta: { window: 2 } }],
  ['a field that is too long', { type: 'alerts/shown', payload: { text: 'secret'.repeat(2000) } }],
  ['a user action with a number', connectionRequested()],
  ['a type that has no text', { type: { toString: 1, valueOf: 'secret' } }],
])('refuses %s, and logs only its channel and type', async (_, action) => {
  const { openPage: open, own, kept, store } = await start();
  open();
  const page = open();
  page.ipcRenderer.send('action', act.stateReported({ state: { ...initialWindowState, textBox: '' } }), 0);
  await page.deliver();
  const before = store.getState();
  page.ipcRenderer.send('action', action, 1);
  await page.deliver();
  expect(store.getState()).toBe(before);
  expect(own(1)).toEqual(initialWindowState);
  const lines = kept.text();
  expect(lines).toMatch(/an action of a window was refused|a message was dropped/u);
  expect(lines).not.toMatch(/secret|session\/ended|window\/closed/u);
});

test('refuses state over the limit, logs it once, and has the window’s state again later', async () => {
  const { open, own, kept, clock, store } = await start();
  const { page, store: window } = open();
  window.dispatch(act.textBoxOpened({ text: 'secret' }));
  await page.deliver();
  let dispatched = 0;
  const stop = store.subscribe(() => dispatched++);
  for (let at = 0; at < 200; at++) window.dispatch(act.textBoxEdited({ text: `${at}${'x'.repeat(9000)}` }));
  await page.deliver();
  stop();
  expect(dispatched * 9000).toBeLessThan(1.1 * WINDOW_STATE_RATE.burst);
  expect(dispatched * 9000).toBeGreaterThan(0.9 * WINDOW_STATE_RATE.burst);
  const msg = 'the state that a window sends is over the limit';
  expect(kept.lines()).toMatchObject([{ type: 'textBox/edited', msg }]);
  clock.advance(HEARTBEAT_MS);
  await page.deliver();
  expect(own()).toEqual(window.getState().own);
  window.dispatch(act.textBoxEdited({ text: 'short again' }));
  await page.deliver();
  expect(own()?.textBox).toBe('short again');
});

test('drops what is on its way when a session ends, and requests the state, which a sign-out has reset', async () => {
  const { open, own, store: main } = await start();
  const { page, store } = open();
  store.dispatch(act.viewChanged({ view: 'conversation' }));
  await page.deliver();
  store.dispatch(act.textBoxOpened({ text: 'a secret draft' }));
  const texts: unknown[] = [];
  main.subscribe(() => texts.push(own()?.textBox));
  main.dispatch(sessionEnded());
  store.dispatch(act.viewChanged({ view: 'login' }));
  await page.deliver();
  store.dispatch(act.signInFormEdited({ email: 'grace@example.org', name: '' }));
  await page.deliver();
  expect([own(), own()?.signInForm.email]).toEqual([store.getState().own, 'grace@example.org']);
  expect(new Set(texts)).toEqual(new Set([null]));
});

const ring: Record<string, unknown> = {};
ring.ring = ring;

test.each([
  ['texts and names', { type: 'a/b', payload: { text: 'hello' } }, 23],
  ['no value', undefined, 0],
  ['an array buffer, without its bytes', [new ArrayBuffer(1000)], 1],
  ['a value that contains itself', ring],
  ['many keys', Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`key ${at}`, at]))],
  ['many values at different levels', [[1, 2, 3], [4, 5, 6], { a: { b: { c: [] } } }]],
  ['a very long array', Array.from({ length: 1_000_000 })],
])('counts %s within a limit', (_, message, size?: number) => {
  expect(boundedSize(message, 10)).toBe(size);
});

const error = (code: string) => Object.assign(new Error(code), { code });
const FULL = 'The disk is full: the log and recordings are paused. Free some space, and they continue.';
const CONTINUED = 'Files can be written again: the log and recordings continue.';

test('notifies of what happened before the store exists; once that the disk is full, and again only after all parts recovered; of another reason only for a recording', () => {
  const { notify, faults, notes, start: begin } = testNotices();
  for (const text of ['a', 'b']) notify(text);
  faults.paused('log', error('ENOSPC'));
  faults.resumed('log');
  begin();
  expect(notes.splice(0)).toEqual(['a', 'b', FULL, CONTINUED]);
  faults.paused('log', error('ENOSPC'));
  faults.paused('recording', error('ENOSPC'));
  expect(notes).toEqual([FULL]);
  faults.resumed('log');
  expect(notes).toEqual([FULL]);
  faults.resumed('recording');
  faults.paused('log', error('EDQUOT'));
  expect(notes).toEqual([FULL, CONTINUED, FULL]);
  faults.resumed('log');
  faults.paused('log', error('EROFS'));
  expect(notes).toHaveLength(4);
  faults.paused('recording', error('EROFS'));
  faults.resumed('log');
  faults.resumed('recording');
  const paused = 'Recording is paused: the disk is read-only. It continues when the file can be written.';
  expect(notes.slice(4)).toEqual([paused, CONTINUED]);
});

/** Starts main; `open` opens a window that shows main's notices, and resolves when it has its state. */
async function startWithNotices() {
  const { store: main, open } = await start();
  main.dispatch(accountChanged({ account: 'mark', reason: null }));
  return {
    store: main,
    async open() {
      const { page, store } = open();
      followInWindow(store, { signInForm: { reset() {} }, texts: { setAccount() {} } });
      for (let times = 0; times < 2; times++) await page.deliver();
      const own = () => store.getState().own;
      return {
        page,
        store,
        note: () => own().notes?.text,
        alerts: () => own().alerts.waiting.map(({ text }) => text),
      };
    },
  };
}

test('shows a notice that is over when it was shown in the open windows only, or in the first that opens; another one in every window, also in those that open later, until a person dismisses it', async () => {
  const { open, store } = await startWithNotices();
  store.dispatch(noticeRaised({ text: 'a', until: 'shown' }));
  const first = await open();
  expect(first.note()).toBe('a');
  await first.page.deliver();
  const second = await open();
  expect(second.note()).toBeUndefined();
  const raise = async (text: string, until: 'shown' | 'dismissed') => {
    store.dispatch(noticeRaised({ text, until }));
    for (const { page } of [first, second]) await page.deliver();
    expect([first.note(), second.note()]).toEqual(Array(2).fill(limitText(text)));
    return (await open()).note();
  };
  const long = 'b'.repeat(STATE_TEXT_LENGTH + 1);
  for (const text of ['b', long]) expect(await raise(text, 'shown')).toBeUndefined();
  for (const text of [FULL, long]) {
    expect(await raise(text, 'dismissed')).toBe(limitText(text));
    first.store.dispatch(act.noteDismissed());
    await first.page.deliver();
    expect((await open()).note()).toBeUndefined();
  }
});

test('shows the reason of a sign-out in the open windows, and not in one that opens later', async () => {
  const { open, store } = await startWithNotices();
  const [first, second] = [await open(), await open()];
  store.dispatch(accountChanged({ account: false, reason: 'unauthorized' }));
  store.dispatch(sessionEnded());
  for (const { page } of [first, second, first, second]) await page.deliver();
  expect([first.alerts(), second.alerts()]).toEqual([['unauthorized'], ['unauthorized']]);
  expect((await open()).alerts()).toEqual([]);
  first.store.dispatch(act.alertDismissed());
  await first.page.deliver();
  expect((await open()).alerts()).toEqual([]);
});
