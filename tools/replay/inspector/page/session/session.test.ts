import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createCore, createStore, latest } from './inspectorStore.ts';
import { followHash, startOfHash } from './address.ts';
import { type Direction, type InspectorState, initialState } from './inspectorState.ts';
import { modelClient, until } from './testing/modelClient.ts';
import { captureText } from '../../model/testing/modelOf.ts';
import { type InspectorClient, StoppedError } from '../../protocol/workerClient.ts';
import { createInspector } from './createInspector.ts';
import { SearchError, parseSearch } from './stepSearch.ts';
import { clampRange } from './timelineControl.ts';
import type { Edit } from '../../protocol/protocol.ts';
import { nextInsertion, withoutEdit } from './whatIf.ts';
import { createPlayer } from './player.ts';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { recv } from '#tests/builders/updateOf.ts';

it.each([
  ['#step=12', { step: 12 }],
  ['#a=1&step=3', { step: 3 }],
  ['#at=2:03.400', { t: 123_400 }],
  ['#at=1:2', undefined],
])('reads from the address %j the start %j', (hash, start) => {
  expect(startOfHash(hash)).toEqual(start);
});

it('writes the selected step into the address, but not over an address that has just been entered', () => {
  vi.useFakeTimers();
  const address = { hash: '' };
  const page = new EventTarget();
  const replaceState = (_state: null, _title: string, hash: string) => (address.hash = hash);
  const globals = { location: address, window: page, history: { replaceState } };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const store = createStore<InspectorState>({ ...initialState, phase: { kind: 'ready' } });
  followHash(createCore(modelClient(), store), (step) => store.set({ step }));
  store.set({ step: 2 });
  vi.runAllTimers();
  expect(address.hash).toBe('#step=2');
  store.set({ step: 3 });
  address.hash = '#step=20';
  vi.runAllTimers();
  expect(address.hash).toBe('#step=20');
  const newURL = 'http://127.0.0.1/#step=20';
  page.dispatchEvent(Object.assign(new Event('hashchange'), { newURL }));
  expect(store.get().step).toBe(20);
  store.set({ step: 21 });
  vi.runAllTimers();
  expect(address.hash).toBe('#step=21');
});

it('removes a notice when its subject changes, and keeps a warning', () => {
  const store = createStore<InspectorState>(initialState);
  const { notify, fail, warn } = createCore(modelClient(), store);
  warn('The last line is truncated.', false);
  const changes: readonly Partial<InspectorState>[] = [
    { step: 4 },
    { search: { kind: 'expression', text: 'x' } },
    { filter: { text: 'x', kinds: [], changedOnly: false } },
    { branch: 'edited' },
    { range: { from: 0, to: 1, base: 0, last: 9 } },
  ];
  for (const [index, part] of changes.entries()) {
    if (index % 2 === 0) notify('Found at step 3.');
    else fail(new Error('Not a number.'));
    store.set({ speed: 10 + index });
    expect(store.get().notice).toBeDefined();
    store.set(part);
    expect([part, store.get().notice]).toEqual([part, undefined]);
  }
  const notice = { text: 'Found at step 60.', isError: false };
  store.set({ step: 60, notice });
  expect(store.get()).toMatchObject({ notice, warning: { text: 'The last line is truncated.' } });
});

const tasksDone = () => new Promise((resolve) => void setImmediate(resolve));

it('does only the newest piece of those requested while it is busy', async () => {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const request = latest<number>((what) => {
    started.push(what);
    return new Promise((done) => void ends.push(done));
  }, vi.fn());
  for (const what of [1, 2, 3, 4]) request(what);
  expect(started).toEqual([1]);
  ends[0]?.();
  await tasksDone();
  expect(started).toEqual([1, 4]);
});

beforeEach(() => void vi.stubGlobal('innerHeight', 900));

const file = (text: string) => ({ kind: 'file', file: new Blob([text]), name: 'other' }) as const;

it('rejects a search for what is no number, no time or nothing', () => {
  expect(() => parseSearch({ kind: 'update', text: 'twelve' })).toThrow(SearchError);
  expect(() => parseSearch({ kind: 'time', text: '1 year' })).toThrow(SearchError);
  expect(() => parseSearch({ kind: 'frame', text: '  ' })).toThrow(SearchError);
});

function failing(reason: Error, isFailing: (name: string) => boolean): InspectorClient {
  const model = modelClient();
  const request: InspectorClient['request'] = (name, params) =>
    isFailing(name) ? Promise.reject(reason) : model.request(name, params);
  return { ...model, request };
}

it('shows why a search was stopped at its field, keeps the search and the step, and turns off the breakpoints', async () => {
  let isStopped = false;
  const client = failing(new StoppedError('Stopped.'), (name) => isStopped && name.startsWith('find'));
  const { open, search, breakpoints, store } = createInspector(client);
  await open(file(captureText([{ t: 0, type: 'open' }])), { step: 1 });
  for (const text of ['/a/', '/(a+)+$/']) {
    search.set({ kind: 'frame', text });
    await breakpoints.add();
  }
  isStopped = true;
  await search.find('forward');
  const wanted = { kind: 'frame', text: '/(a+)+$/' };
  expect(store.get()).toMatchObject({ search: wanted, searchError: 'Stopped.', step: 1 });
  search.set({ text: 'a' });
  expect(store.get().searchError).toBeUndefined();
  await breakpoints.by(-10);
  expect(store.get().breakpoints.map(({ isOn }) => isOn)).toEqual([false, false]);
  expect(store.get().notice).toEqual({ text: 'Stopped. The breakpoints are turned off.', isError: true });
  await breakpoints.by(-10);
  expect(store.get().step).toBe(0);
});

it.each([
  [200, 300, 200, 300],
  [-400, 100, 0, 500],
  [900, 1100, 800, 1000],
  [-5000, 5000, 0, 1000],
  [500, 501, 495.5, 505.5],
])('limits the range %d to %d of a session of 1000 ms to %d to %d', (from, to, ...shown) => {
  expect(Object.values(clampRange({ from, to }, 1000))).toEqual(shown);
});

const inserted = (id: number, record: number) => ({ kind: 'insert', record, data: '', id }) as const;

it('undoes an insertion with the edits of its frame, and keeps the others', () => {
  const first = inserted(1, 4);
  const skip: Edit = { kind: 'skip', record: 4 };
  const replace: Edit = { kind: 'replace', record: -2, data: '' };
  const edits = [first, skip, inserted(2, -1), replace, inserted(3, 4)];
  expect(withoutEdit(edits, first)).toEqual([skip, inserted(3, 4)]);
  expect(withoutEdit(edits, skip)).toEqual(edits.toSpliced(1, 1));
  expect(nextInsertion(edits)).toBe(4);
  expect(nextInsertion([])).toBe(1);
});

const sent = (t: number) => ({ t, type: 'send', data: '' });
const confirmed = { t: 150, type: 'action', action: { type: 'connection/confirmed' } };
const PLAYED = captureText([sent(100), confirmed, sent(5000), sent(5010)]);

/** Creates a player of this session, whose steps are 1 to 4; the test triggers its animation frames. */
async function playing(part: Partial<InspectorState> = {}, direction: Direction = 'forward') {
  const client = modelClient();
  const info = await client.request('load', { source: file(PLAYED) });
  const store = createStore<InspectorState>({ ...initialState, phase: { kind: 'ready' }, info, ...part });
  let draw: ((now: number) => void) | undefined;
  const navigate = { show: (step: number) => store.set({ step }) };
  const play = createPlayer(createCore(client, store), navigate, (callback) => void (draw = callback));
  play.toggle(direction);
  await tasksDone();
  const at = (now: number) => {
    const callback = draw;
    draw = undefined;
    callback?.(now);
    return store.get().step;
  };
  at(1000);
  return { store, play, at, isDrawing: () => draw !== undefined };
}

it('shows each step at its recorded time, also backward, or shortens a pause of 5 s to 0.5 s; stops at a break and at the end, and plays again from step 0', async () => {
  const { at, store, isDrawing, play } = await playing();
  expect([1099, 1100, 1149, 1150, 5999, 6000, 6010].map(at)).toEqual([0, 1, 1, 2, 2, 3, 4]);
  expect([store.get().playing, isDrawing()]).toEqual([undefined, false]);
  play.toggle('forward');
  await tasksDone();
  expect(isDrawing()).toBe(true);
  expect([10_000, 10_100].map(at)).toEqual([0, 1]);
  const capped = await playing({ capsIdle: true });
  expect([1649, 1650, 1660].map(capped.at)).toEqual([2, 3, 4]);
  const backward = await playing({ step: 4 }, 'backward');
  expect([1009, 1010, 5860, 5910, 6010].map(backward.at)).toEqual([4, 3, 2, 1, 0]);
  expect(backward.store.get().playing).toBeUndefined();
  const breakpoint = { search: { kind: 'change', text: 'connection' }, isOn: true } as const;
  const broken = await playing({ breakpoints: [breakpoint] });
  expect(broken.at(9000)).toBe(2);
  const notice = { text: 'Stopped at step 2: connection changed.', isError: false };
  expect(broken.store.get()).toMatchObject({ playing: undefined, notice });
});

const FIRST = captureText([{ t: 0, type: 'open' }, recv(1, { person: 'Ada', messages: [] })]);
const renamed = (t: number, name: string) => `${JSON.stringify(recv(t, { name }))}\n`;

/** Creates an inspector, and a live session that the test continues. */
function live(client: InspectorClient = modelClient()) {
  const inspector = createInspector(client);
  const session = new EventEmitter();
  const on = (event: string) => (listener: (text: string) => void) => {
    session.on(event, listener);
    return () => session.off(event, listener);
  };
  inspector.openLive({ onLines: on('lines'), onEnded: on('ended') });
  const { store } = inspector;
  const shows = async (person: string) => {
    await until(store, ({ view }) => view?.parley?.conversation.person === person);
    expect(store.get().view?.parley?.conversation.person).toBe(person);
  };
  const send = (text: string) => session.emit('lines', text);
  return { inspector, store, send, shows, end: (text: string) => session.emit('ended', text) };
}

/** Creates a client whose answers to some requests wait: `held` has the function that releases each of them. */
function holding(isHeld: (...request: Parameters<InspectorClient['request']>) => boolean) {
  const model = modelClient();
  const held = platformInbox<() => void>();
  const request: InspectorClient['request'] = async (name, params) => {
    const result = await model.request(name, params);
    if (isHeld(name, params)) await new Promise<void>((resolve) => held.push(resolve));
    return result;
  };
  return { model, held, client: { ...model, request } };
}

it('follows a live session past a broken line until the person steps back, and again on request, and says when it has ended', async () => {
  const { inspector, store, send, shows, end } = live();
  send(FIRST);
  await shows('Ada');
  send(`{"t":\n${renamed(200, 'Grace')}`);
  await shows('Grace');
  const text = 'This session:4: is not JSON; this line is skipped';
  expect(store.get()).toMatchObject({ warning: { text, isError: true }, follows: true });
  inspector.navigate.by(-1);
  const { step } = store.get();
  send(renamed(300, 'Edith'));
  await until(store, ({ info }) => (info?.steps ?? 0) > step + 1);
  expect(store.get()).toMatchObject({ step, isLive: true, follows: false });
  inspector.follow(true);
  await shows('Edith');
  end('The session has ended.');
  expect(store.get().warning).toEqual({ text: 'The session has ended.', isError: false });
});

it('says that a live session cannot be continued, keeps what it shows, and opens another capture', async () => {
  const client = failing(new Error('The reducer failed.'), (name) => name === 'append');
  const { inspector, store, send, shows } = live(client);
  send(FIRST);
  await shows('Ada');
  send(renamed(200, 'Grace'));
  await until(store, ({ warning }) => warning !== undefined);
  expect(store.get().warning?.text).toContain('The reducer failed.');
  expect(store.get()).toMatchObject({ isLive: false, follows: false, phase: { kind: 'ready' } });
  await inspector.open(file(FIRST.replace('Ada', 'Edith')), { step: 9 });
  await shows('Edith');
});

it('shows the capture that was opened last, also when an older one is loaded later', async () => {
  const { client, held } = holding((_, params) => 'source' in params && params.source.name === 'slow');
  const { inspector, store } = live(client);
  const slow = inspector.open({ ...file(FIRST), name: 'slow' });
  const release = await held.next();
  await inspector.open(file(FIRST));
  release();
  await slow;
  expect(store.get()).toMatchObject({ phase: { kind: 'ready' }, info: { name: 'other' } });
});

it('shows the part of a long capture that has been read, stays at its step, and shows the rest when it is read', async () => {
  const { client, model, held } = holding((name) => name === 'load');
  const onProgress = vi.fn<InspectorClient['onProgress']>(() => () => {});
  const whole = FIRST + renamed(200, 'Grace');
  const { inspector, store } = live({ ...client, onProgress });
  const opened = inspector.open(file(whole), { step: 2 });
  const release = await held.next();
  const [report] = onProgress.mock.lastCall ?? [];
  const info = { ...(await model.request('append', { text: '' })), steps: 1 };
  report?.({ read: 1, total: 9, info });
  expect(store.get().phase).toEqual({ kind: 'loading', name: 'other', read: 1, total: 9 });
  report?.({ read: 5, total: 9, info: { ...info, steps: 3 } });
  expect(store.get()).toMatchObject({ phase: { kind: 'ready', rest: { read: 5, total: 9 } }, step: 2 });
  inspector.navigate.toLast();
  report?.({ read: 6, total: 9 });
  expect(store.get()).toMatchObject({ phase: { rest: { read: 6, total: 9 } }, info: { steps: 3 }, step: 3 });
  release();
  await opened;
  expect(store.get()).toMatchObject({ phase: { kind: 'ready' }, info: { steps: 5 }, step: 3 });
  expect(store.get().phase).not.toHaveProperty('rest');
});
