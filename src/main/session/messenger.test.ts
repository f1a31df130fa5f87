import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Action, isAnyOf } from '@reduxjs/toolkit';
import { expect, test, vi } from 'vitest';
import { markSource } from '../ipc/receiveActions.ts';
import { logOutRequested, signInRequested } from '#shared/actions/userActions.ts';
import { messageRefused, signInAccepted, signInRefused } from '#shared/actions/mainActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { readSettings } from '#shared/settings.ts';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { mainEncryption, mockElectron } from '#tests/builders/mainStore.ts';
import { FORM_DEBOUNCE_MS, FRAME_BYTES } from '#shared/limits.ts';
import { ADA, messengerAt, signedInMessenger } from '#tests/builders/messengerAt.ts';
import { platformForTest, waitForState } from '#tests/builders/messengerAt.ts';
import type { KnownRecord } from '#shared/capture/captureFormat.ts';
import type { Source } from '../store/mainStore.ts';
import { TOO_LARGE_REASON } from './platformSocket.ts';

/** A limit that a few messages reach. */
vi.mock('#shared/limits.ts', async (original) => ({ ...(await original<object>()), OUTGOING_BYTES: 4e6 }));

test('spec §3.1 row 2, §3.1 row 5, contract §2 path segment, contract §5 order: stores the account, then notifies the windows, then connects when `auth` succeeds; deletes the account, then notifies the windows, then ends the session at logout', async () => {
  const platform = await platformForTest();
  const seen: unknown[] = [];
  const path = join(mainFolder(), 'account.json');
  const id = '../a/b?c#d e%2f';
  platform.auth.answer({ body: id });
  const person = () => store.getState().conversation.person;
  const onAccount = (account: string | false) => {
    if (account === false) seen.push(existsSync(path), person());
    else seen.push(existsSync(path), store.getState().account.id, store.getState().sequence);
  };
  const { messenger, store, notified, clock, kept } = await messengerAt(platform, { path, onAccount });
  const before = store.getState().sequence;
  expect([await messenger.signIn(ADA), seen.splice(0)]).toEqual([undefined, [true, id, before + 1]]);
  expect([notified, messenger.account()]).toEqual([[{ account: id }], id]);
  expect(store.getState().sequence).toBeGreaterThan(before + 1);
  expect(await platform.upgrades.next()).toBe('/..%2Fa%2Fb%3Fc%23d%20e%252f');
  const socket = await platform.sockets.next();
  socket.send({ person: 'Ada Lovelace', messages: [] });
  await waitForState(store, ({ queue }) => queue.length === 1);
  clock.advance(100);
  // A sign-out during another one waits for it.
  void messenger.signOut();
  await messenger.signOut();
  expect(seen).toEqual([false, 'Ada Lovelace']);
  expect([person(), clock.nextDue(), messenger.account()]).toEqual([null, undefined, false]);
  expect(notified).toEqual([{ account: id }, { account: false }]);
  expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
  expect(kept.lines().map(({ msg }) => msg)).toEqual(['session launched', 'signed out']);
});

test('spec §3.1 row 4, contract §5 order, contract §2 another platform: closes the connection, keeps the account and does not notify the windows when the program quits; launches the session at once when it starts with a stored account of this platform; of another one it is signed out and leaves the file unchanged', async () => {
  const first = await signedInMessenger();
  const { path } = first;
  first.messenger.quit();
  expect((await first.socket.closed).code).toBe(1001);
  expect([first.notified.length, first.clock.nextDue()]).toEqual([1, undefined]);
  const before = readFileSync(path);
  const platform = await platformForTest();
  const elsewhere = await messengerAt(platform, { path, platformName: 'another' });
  elsewhere.messenger.start();
  await elsewhere.persistor.flush();
  expect([elsewhere.messenger.account(), readFileSync(path)]).toEqual([false, before]);
  const { messenger, notified } = await messengerAt(platform, { path });
  expect(messenger.account()).toBe('account-1');
  messenger.start();
  expect((await platform.sockets.next()).path).toBe('/account-1');
  expect([notified, platform.auth.requests.all]).toEqual([[{ account: 'account-1' }], []]);
});

test('spec §3.1 row 6: logs out and notifies the windows of the reason after a close with `unauthorized`', async () => {
  const { messenger, store, notified, socket, platform, path, clock, person } = await signedInMessenger();
  socket.close(1008, 'unauthorized');
  await waitForState(store, ({ account }) => account.id === null);
  await waitForState(store, ({ conversation }) => conversation.person === null);
  expect(notified.at(-1)).toEqual({ account: false, reason: 'unauthorized' });
  const left = [messenger.account(), existsSync(path), person(), clock.nextDue()];
  expect(left).toEqual([false, false, null, undefined]);
  await platform.roundTrip();
  expect(platform.upgrades.all).toHaveLength(1);
});

const messageRefusal = (reason: string) => ['message/refused', { category: 'text', reason }];
const signInRefusal = (code: string) => ['signIn/refused', { code }];

test('spec §3.1 row 3, §7 row 1, §8 text length, contract §3 one request: a failed `auth` returns its text and does nothing else; dispatches why a sign-in or a message was refused, as codes, and requests no account with credentials that break a rule', async () => {
  const platform = await platformForTest();
  const { messenger, listeners, clock, kept, notified, path } = await messengerAt(platform);
  const facts: unknown[] = [];
  listeners.startListening({
    predicate: isAnyOf(signInAccepted, signInRefused, messageRefused),
    effect: (action) => void facts.push([action.type, 'payload' in action ? action.payload : undefined]),
  });
  messenger.send({ category: 'text', text: 'hello', blob: null });
  messenger.send({ category: 'text', text: 'a'.repeat(250), blob: null });
  await messenger.signIn({ ...ADA, email: 'ada' });
  const texts: unknown[] = [];
  for (const answer of [{ status: 401, body: 'Wrong.' }, { status: 500, body: '' }, 'destroyed'] as const) {
    platform.auth.answer(answer);
    texts.push(await messenger.signIn(ADA));
    clock.advance(FORM_DEBOUNCE_MS);
  }
  expect([texts[0], notified, platform.upgrades.all]).toEqual(['Wrong.', [], []]);
  expect([messenger.account(), existsSync(path)]).toEqual([false, false]);
  platform.auth.answer({ body: 'account-1' });
  await Promise.all([messenger.signIn(ADA), messenger.signIn(ADA)]);
  await messenger.signIn(ADA);
  const first = ['invalid', 'refusedByPlatform', 'failed', 'unreachable', 'busy'].map(signInRefusal);
  const last = [...first, ['signIn/accepted', undefined], signInRefusal('signedIn')];
  expect(facts).toEqual([...['signedOut', 'overLimits'].map(messageRefusal), ...last]);
  expect(platform.auth.requests.all).toHaveLength(4);
  const msgs = ['not signed in: message dropped', 'message over the limits refused'];
  expect(kept.lines().slice(0, 2)).toEqual(msgs.map((msg) => ({ level: 'warn', category: 'text', msg })));
});

test('contract §1 secrets: the account identifier is in the action that stores it, and in no other; windows know a mark of at most 8 hexadecimal digits', async () => {
  const platform = await platformForTest();
  const { messenger, store, listeners, reconnect } = await messengerAt(platform);
  const [seen, marks]: [Action[], unknown[]] = [[], []];
  listeners.startListening({ predicate: () => true, effect: (action) => void seen.push(action) });
  platform.auth.answer({ body: 'account-secret' });
  await new Promise((answer) => store.dispatch(markSource(signInRequested({ credentials: ADA, answer }), 1)));
  const socket = await platform.sockets.next();
  marks.push(store.getState().notices.account, JSON.stringify(sharedPart(store.getState())));
  expect(marks[1]).not.toContain('account-secret');
  messenger.send({ category: 'text', text: 'secret-text', blob: null });
  socket.close(1000, 'maintenance');
  await waitForState(store, ({ connection }) => connection.closedBecause !== null);
  reconnect();
  store.dispatch(logOutRequested());
  await waitForState(store, ({ account }) => account.id === null);
  const secret = seen.filter((action) => /secret|ada@|engine/u.test(JSON.stringify(action)));
  expect([secret.map(({ type }) => type), marks[0]]).toEqual([['account/signedIn'], '84084483']);
  const requested = ['connection/requested', 'logOut/requested'];
  const happened = ['signIn/requested', 'signIn/accepted', 'account/signedIn', ...requested];
  expect(seen.map(({ type }) => type).filter((type) => happened.includes(type))).toEqual(happened);
});

test('launches nothing at the third start after the program ended during two, and shows what the person can do', async () => {
  const platform = await platformForTest();
  const { messenger: first, path } = await signedInMessenger();
  first.quit();
  const starting = join(dirname(path), 'starting.json');
  expect(readFileSync(starting, 'utf8')).toContain('"unsettled": 0');
  writeFileSync(starting, '{"unsettled":2}');
  writeFileSync(join(dirname(path), 'failed-start.parley.jsonl'), 'received');
  const { messenger, startFailures, kept, store } = await messengerAt(platform, { path });
  messenger.start();
  await platform.roundTrip();
  expect([platform.sockets.all, startFailures]).toEqual([[], [{ canSave: true }]]);
  expect(kept.text()).toMatch(/"error","msg":"the program .* the session is not launched"/u);
  expect(await messenger.saveReceived()).toMatchObject({ path: expect.stringContaining('captures') });
  expect(startFailures.at(-1)).toEqual({ canSave: false });
  messenger.tryAgain();
  messenger.tryAgain();
  expect(startFailures.at(-1)).toBeNull();
  await platform.sockets.next();
  expect(platform.sockets.all).toHaveLength(1);
  expect(readFileSync(starting, 'utf8')).toContain('3');
  await messenger.signOut();
  expect(readFileSync(starting, 'utf8')).toContain('0');
  await messenger.saveReceived();
  expect([store.getState().account.id, startFailures.at(-1)]).toEqual([null, null]);
  // A sign-out ends the failures without a launch too.
  const other = await signedInMessenger();
  other.messenger.quit();
  const itsStarting = join(dirname(other.path), 'starting.json');
  writeFileSync(itsStarting, '{"unsettled":2}');
  await (await messengerAt(platform, { path: other.path })).messenger.signOut();
  expect(readFileSync(itsStarting, 'utf8')).toContain('0');
  // Without an account, there is no start that can fail.
  writeFileSync(itsStarting, '{"unsettled":2}');
  const signedOut = await messengerAt(platform, { path: other.path });
  signedOut.messenger.start();
  expect([signedOut.startFailures, signedOut.notified]).toEqual([[], [{ account: false }]]);
});

const isRetried = ({ connection }: { connection: { retryAt?: number | undefined } }) =>
  connection.retryAt !== undefined;

test('spec §8 reconnect delay: the state and the record of a close contain the time of the next attempt, if there is one', async () => {
  const closes: KnownRecord[] = [];
  const record = (one: KnownRecord) => void (one.type === 'close' && closes.push(one));
  const capture = { action() {}, launched() {}, record, pauseWhileFull() {}, ended() {} };
  const { socket, store, clock, platform, notified, reconnect } = await signedInMessenger({ capture });
  socket.close();
  await waitForState(store, isRetried);
  expect(store.getState().connection.retryAt).toBe(500);
  clock.advance(500);
  (await platform.sockets.next()).close(1000, 'maintenance');
  await waitForState(store, ({ connection }) => connection.closedBecause === 'maintenance');
  expect([store.getState().connection.retryAt, notified]).toEqual([undefined, [{ account: 'account-1' }]]);
  reconnect();
  expect(store.getState().connection.closedBecause).toBeNull();
  await platform.sockets.next();
  expect(closes).toMatchObject([{ reason: '', retryAt: 500 }, { reason: 'maintenance' }]);
  expect(closes[1]).not.toHaveProperty('retryAt');
});

test('contract §5 rejected: counts rejected frames, also of invalid UTF-8, by reason, logs them without their text, and keeps the socket open', async () => {
  const { store, socket, kept } = await signedInMessenger();
  socket.sendBinary(Buffer.from('secret'));
  socket.sendText(Uint8Array.of(0x22, 0xff, 0x22));
  socket.sendText('{secret');
  socket.send({ modifier: 'ai', content: [{ category: 'text', text: { secret: true } }] });
  socket.send({ name: 'Mary' });
  await waitForState(store, ({ queue }) => queue.length === 1);
  socket.sendHeader(FRAME_BYTES + 1);
  await waitForState(store, ({ connection }) => connection.closedBecause === TOO_LARGE_REASON);
  const counts = { notText: 2, notJson: 1, wrongType: 1, tooLarge: 1 };
  expect(store.getState().counts).toMatchObject({ received: 7, applied: 1, rejected: counts });
  const rejected = [
    { reason: 'notText', bytes: 6 },
    { reason: 'notText', bytes: 3 },
    { reason: 'notJson', bytes: 7 },
    { reason: 'wrongType', where: 'content[0].text', bytes: 72 },
  ].map((fields) => Object.assign(fields, { level: 'warn', msg: 'frame rejected' }));
  expect(kept.lines().filter(({ msg }) => msg === 'frame rejected')).toEqual(rejected);
  expect(kept.text()).toMatch(/"error","msg":"a frame over the socket’s limit came; .* is closed"/u);
});

test('spec §4.2, §7 row 13: sends and counts a message while open; drops it while not open, counts it and logs it without its text', async () => {
  const { messenger, store, kept, socket } = await signedInMessenger();
  const before = store.getState().conversation;
  messenger.send({ category: 'image', text: 'a.png', blob: 'AAEC' });
  expect(await socket.frames.next()).toBe('{"category":"image","text":"a.png","blob":"AAEC"}');
  expect(store.getState().counts).toMatchObject({ sent: 1, dropped: 0 });
  socket.close();
  await waitForState(store, isRetried);
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(store.getState().counts).toMatchObject({ sent: 1, dropped: 1 });
  expect(store.getState().conversation).toBe(before);
  const line = { level: 'warn', category: 'text', msg: 'not connected: message dropped' };
  const closed = { level: 'info', code: 1005, msg: 'connection closed' };
  expect(kept.lines().slice(-2)).toEqual([closed, line]);
});

test('lets at most a limit of bytes wait for a platform that does not read, and refuses each further message with a notice', async () => {
  const { messenger, store, kept, notices, socket } = await signedInMessenger();
  socket.pause();
  const picture = { category: 'image', text: 'a.png', blob: 'A'.repeat(1_333_332) } as const;
  const { counts } = store.getState();
  for (let sent = 0; sent < 20; sent++) messenger.send(picture);
  const { sent, dropped } = store.getState().counts;
  expect(sent - counts.sent + dropped).toBe(20);
  // Beyond the limit the operating system has buffers of a few megabytes.
  expect(sent * picture.blob.length).toBeLessThan(16 * 1024 * 1024);
  expect(dropped).toBeGreaterThan(5);
  const text =
    'Your message was not sent, because the platform accepts none at the moment. Wait a little, then send it again.';
  expect(notices).toEqual(Array(dropped).fill(text));
  expect(kept.lines().at(-1)).toMatchObject({ msg: 'the platform does not read: message refused' });
  socket.resume();
  for (let received = 0; received < sent; received++) await socket.frames.next();
  messenger.send({ category: 'text', text: 'hello', blob: null });
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello","blob":null}');
});

test('contract §5 silence, contract §6: waits for the capture without measuring silence, and ends in the meantime; reads the time of day again after the machine was asleep, because the clock of the ticks may have stopped', async () => {
  const sources: Source[] = [];
  const pauseWhileFull = (source: Source) => void sources.push(source);
  const capture = { action() {}, launched() {}, record() {}, pauseWhileFull, ended() {} };
  const { socket, platform, store, clock, messenger, kept } = await signedInMessenger({ capture });
  sources[0]?.pause();
  socket.send({ name: 'Mary' });
  clock.advance(60_000);
  await platform.roundTrip();
  expect([store.getState().counts.received, store.getState().connection.closedBecause]).toEqual([1, null]);
  sources[0]?.resume();
  await waitForState(store, ({ counts }) => counts.received === 2);
  messenger.onResume();
  expect(kept.lines().at(-1)).toEqual({ level: 'info', msg: 'the machine was asleep' });
  const times = [0, 60_100].map((sinceLaunch) => ({ sinceLaunch, timeOfDay: 0 }));
  expect(store.getState().timesOfDay).toEqual(times);
  sources[0]?.pause();
  await messenger.signOut();
  await socket.closed;
  sources[0]?.resume();
  expect(store.getState().connection.status).toBe('disconnected');
});

test('another platform has no assistant, its account is encrypted, and its recording is counted', async () => {
  mockElectron({ parts: { app: new EventEmitter(), safeStorage: mainEncryption(1) } });
  const { setUpMessenger } = await import('../setUpMessenger.ts');
  const { createListeners } = await import('../store/mainStore.ts');
  const { createNotices } = await import('../window/createNotices.ts');
  const [dataDir, { log }, notices] = [mainFolder(), mainLog(), createNotices()];
  const platform = { name: 'here', ...(await platformForTest()) };
  const settings = { ...readSettings({}), capture: true };
  const listeners = createListeners(log, notices.notify);
  const base = { dataDir, clock: virtualClock(), log, notices, platform };
  const parts = await setUpMessenger({ ...base, settings, listeners });
  await parts.messenger.signIn(ADA);
  parts.messenger.quit();
  await parts.recorder.settling();
  expect(parts.assistant).toBeUndefined();
  expect(readFileSync(join(dataDir, 'account.json'), 'utf8')).not.toContain('account-1');
  expect(await parts.captures.stored()).toMatchObject({ recorded: { files: 1 }, saved: { files: 0 } });
});
