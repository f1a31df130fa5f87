import { configureStore } from '@reduxjs/toolkit';
import type { Action, Middleware, ThunkAction } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { createEngine } from '../engine/createEngine.ts';
import { inLine, underTitles } from '../testing/drawText.ts';
import { STARTED_AT } from '../testing/files.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { simulateStore } from './simulateStore.ts';
import type { StoreAdapter, StoreDeps } from './storeAdapter.ts';
import { replayedStore } from './storeSession.ts';
import { CHAT_RECORDS, globalTeamChat, teamChat } from './testing/teamChat.ts';

interface Notes {
  readonly notes: readonly string[];
  readonly answer: string;
  readonly add: (note: string) => void;
}

/** A store as zustand makes it: a state with its functions, and `setState`. It can ask for an answer, which comes in pieces. */
const createNotes = ({ fetch }: Pick<StoreDeps, 'fetch'>) => {
  const listeners = new Set<() => void>();
  const setState = (part: Partial<Notes>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const add = (note: string) => setState({ notes: [...state.notes, note] });
  let state: Notes = { notes: [], answer: '', add };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const ask = async (question: string) => {
    const { body } = await fetch('/api/ask', { method: 'POST', body: question });
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      setState({ answer: state.answer + text });
  };
  return { getState: () => state, setState, subscribe, ask };
};

/** The adapter of an app with such a store and server-sent events: an event is a note; `ask` also asks, and `fail` rejects. */
const notesAdapter: StoreAdapter<ReturnType<typeof createNotes>> = {
  name: 'notes',
  createStore: createNotes,
  onFrame(store, data) {
    const { event, data: text } = JSON.parse(String(data));
    if (event === 'message') store.getState().add(text);
    if (event === 'ask') void store.ask(text);
    if (event === 'fail') void Promise.reject(new RangeError(text));
    if (event === 'wait') return Promise.resolve().then(() => Promise.reject(new RangeError(text)));
    return undefined;
  },
  onOpen: (store, { socket }) => store.getState().add(`open ${socket}`),
  onClose: (store, { socket, code }) => store.getState().add(`close ${socket} ${code}`),
  onAction: (store, { type }) => store.getState().add(type),
};

const header = { format: 'parley-capture', version: 2, startedAt: STARTED_AT, app: 'x 1' } as const;

/** Replays records with an adapter; returns its steps as `time kind`, and the last state. */
async function replay(adapter: StoreAdapter, records: readonly CaptureRecord[]) {
  const steps: string[] = [];
  const prepared = await replayedStore(adapter).prepare?.({ name: 'x', header, records });
  if (prepared === undefined) throw new Error('not prepared');
  const { adapter: replayed, warnings } = prepared;
  const engine = createEngine(replayed, {
    onStep({ tick, kind, receivedAt, effect }) {
      const origin = tick === receivedAt ? '' : ` of ${receivedAt}`;
      steps.push(`${tick} ${kind}${origin}${effect === 'ignored' ? ', ignored' : ''}`);
    },
  });
  records.every(engine.take);
  const state = engine.finish();
  return { steps, state: replayed.ownState?.(state), counts: state.counts, warnings };
}

const get = (t: number, data: string) => ({ t, type: 'recv', data });

const event = (t: number, name: string, data: string) => get(t, JSON.stringify({ event: name, data }));

const http = (t: number, id: number, part: object) => ({ t, type: 'http', id, ...part });

/** Replays records with an adapter; returns what each step of the store did, the steps of the session, its last state, and the warnings. */
async function drawn(adapter: StoreAdapter, records: readonly CaptureRecord[]): Promise<string> {
  const { initialState, steps } = await simulateStore(adapter, { header, records });
  const lines = steps.map(({ action: { type, payload }, thrown, ...step }) =>
    inLine({
      type,
      payload,
      ...step,
      ...(thrown && { thrown: String(thrown.error).replace(/^(SyntaxError).*/, '$1') }),
    }),
  );
  // A replay ends with the first exception.
  const session = await replay(adapter, records).catch(String);
  return [inLine(initialState), ...lines, inLine(session)].join('\n');
}

const createSum = () =>
  configureStore({
    reducer: (sum: number = 0, action) => (action.type === 'added' ? sum + 1 : sum),
    middleware: (defaults) => defaults().concat(doubling),
  });

const doubling: Middleware = (api) => (next) => (action) =>
  next(Object(action).type === 'both' ? api.dispatch({ type: 'added' }) : action);

const thunk: ThunkAction<void, unknown, unknown, Action> = (dispatch) => {
  dispatch({ type: 'added' });
  dispatch((inner) => void inner({ type: 'other' }));
};

/** The adapter of a store of Redux that is watched without the enhancer; a frame is this action. */
const summing = (given: unknown): StoreAdapter => ({
  name: 'sum',
  createStore: createSum,
  onFrame: (store) => Object(store).dispatch(given),
});

/** An adapter whose store changes by itself: when it has been created, and every 40 ms. */
const lively: StoreAdapter = {
  ...notesAdapter,
  createStore(deps) {
    const store = notesAdapter.createStore(deps);
    deps.clock.setInterval(() => store.setState({ answer: `${deps.clock.now()}` }), 40);
    void Promise.resolve().then(() => store.setState({ answer: 'first' }));
    return store;
  },
};

const ASK = { method: 'POST', url: 'https://notes.example/api/ask', body: 'why?' };

const STREAMED = [
  { t: 0, type: 'open', socket: 2 },
  event(1, 'message', 'a'),
  event(2, 'ask', 'why?'),
  http(3, 1, { request: ASK }),
  http(20, 1, { response: { status: 200 } }),
  http(30, 1, { chunk: 'Be' }),
  http(40, 1, { chunk: 'Y2F1c2U=', encoding: 'base64' }),
  http(41, 1, { end: true }),
  { t: 50, type: 'action', action: { type: 'typed' } },
  { t: 60, type: 'close', socket: 2, code: 1000, reason: '' },
];

const THROWING = [event(1, 'fail', 'x'), event(2, 'wait', 'y'), get(3, 'no JSON'), event(4, 'message', 'a')];

test('replays a store: each action or change is a step at its time, at the record that caused it', async () => {
  const sections = {
    'a store with middleware, thunks, timers and requests': await drawn(teamChat(), CHAT_RECORDS),
    'the same app on the platform itself, with `globals`': await drawn(globalTeamChat(true), CHAT_RECORDS),
    'a store without actions, and the pieces of a streamed answer': await drawn(notesAdapter, STREAMED),
    'exceptions of handlers, also later ones, at their frames': await drawn(notesAdapter, THROWING),
    'the actions of a thunk without the enhancer': await drawn(summing(thunk), [get(1, '')]),
    'an action that changes nothing': await drawn(summing({ type: 'none' }), [get(1, '')]),
    'the action of a middleware as what it handles': await drawn(summing({ type: 'both' }), [get(1, '')]),
    'a store that changes by itself, at the record before': await drawn(
      lively,
      ['open', 'send', 'end'].map((type, i) => ({ t: 50 * i, type, data: '' })),
    ),
    'no records': await drawn(lively, []),
  };
  await expect(underTitles(sections)).toMatchFileSnapshot('testing/replays.txt');
});

test('answers each request once, and warns about one without an answer, without its query', async () => {
  const answers: unknown[] = [];
  const asking: StoreAdapter = {
    ...notesAdapter,
    createStore: (deps) => Object.assign(notesAdapter.createStore(deps), deps),
    onFrame: async (store, data) => {
      const [method = '', url = '', body] = String(data).split(' ');
      const { fetch }: StoreDeps = Object(store);
      const asked = fetch(url, { method, ...(body !== undefined && { body }) });
      answers.push(await asked.then(async (got) => [got.status, await got.clone().text(), got.url], String));
    },
  };
  const { warnings } = await replay(asking, [
    // Before the recorded request: the answer comes at its time.
    get(0, 'GET /a?x=1'),
    http(1, 1, { request: { method: 'GET', url: '/a?x=1' } }),
    http(2, 2, { request: { method: 'POST', url: '/b', body: 'one' } }),
    http(2, 3, { request: { method: 'POST', url: '/b', body: 'two' } }),
    http(3, 3, { response: { status: 201, body: 'dHdv', encoding: 'base64' } }),
    http(4, 1, { response: { status: 200, body: 'A' } }),
    // After its answer, which then comes at once.
    get(5, 'POST https://x.example/b two'),
    get(6, 'GET /a?x=1'),
    get(7, 'POST /b one'),
    http(8, 2, { error: 'AbortError' }),
  ]);
  expect(answers).toEqual([
    [200, 'A', '/a?x=1'],
    [201, 'two', 'https://x.example/b'],
    'TypeError: the capture has no answer for GET /a',
    'TypeError: AbortError',
  ]);
  expect(warnings).toEqual(['x: it has no answer for GET /a']);
});

test('runs timers in the order of their times, with intervals and animation frames, and ends with the capture', async () => {
  const ran: string[] = [];
  const log = (name: string) => void ran.push(name);
  const createStore = (deps: StoreDeps) => {
    setTimeout(() => log('timeout 0'), 0);
    const id = setInterval(() => {
      log(`interval ${performance.now()}`);
      if (performance.now() > 30) clearInterval(id);
    }, 15);
    requestAnimationFrame((time) => log(`frame ${Math.round(time)}`));
    clearTimeout(setTimeout(() => log('never'), 5));
    deps.clock.setTimeout(log, 2, 'argument');
    setTimeout(() => log('too late'), 101);
    return notesAdapter.createStore(deps);
  };
  const timing = { ...notesAdapter, globals: true as const, createStore };
  const { steps } = await replay(timing, [{ t: 100, type: 'end' }]);
  expect(ran).toEqual(['timeout 0', 'argument', 'interval 15', 'frame 17', 'interval 30', 'interval 45']);
  expect(steps).toEqual([]);
});

test('gives an app with `globals` the same time and random numbers in each replay, and restores those of the platform', async () => {
  const values: unknown[] = [];
  const onFrame = () => void values.push(Date.now(), new Date(), Math.random(), crypto.randomUUID());
  const before = [Date, Math.random, setTimeout, fetch];
  for (let i = 0; i < 2; i++) await replay({ ...notesAdapter, globals: true, onFrame }, [get(7, '')]);
  expect(values.slice(0, 2)).toEqual([Date.parse(STARTED_AT) + 7, new Date(Date.parse(STARTED_AT) + 7)]);
  expect(values.slice(4)).toEqual(values.slice(0, 4));
  expect([Date, Math.random, setTimeout, fetch]).toEqual(before);
});

test('warns about an app that uses the timers of the platform without `globals`', async () => {
  const { warnings } = await replay(globalTeamChat(), CHAT_RECORDS);
  expect(warnings).toEqual([
    'x: the app calls fetch itself, which is not virtual; it needs deps.fetch, or `globals` in its adapter',
    'x: the app calls setTimeout itself, which is not virtual; it needs deps.clock, or `globals` in its adapter',
  ]);
});

test('replays the one store of a module, when the adapter gives it its first state', async () => {
  let listeners = 0;
  const one = createNotes({ fetch });
  const subscribe = (listener: () => void) => {
    const stop = one.subscribe(listener);
    listeners++;
    return () => stop() && listeners--;
  };
  const adapter: StoreAdapter = {
    ...notesAdapter,
    createStore() {
      one.setState({ notes: [] });
      return { ...one, subscribe };
    },
  };
  const first = await replay(adapter, [event(1, 'message', 'a')]);
  expect(first).toMatchObject({ steps: ['1 setState'], state: { notes: ['a'] } });
  expect(await replay(adapter, [event(1, 'message', 'a')])).toEqual(first);
  expect(listeners).toBe(0);
});

test('refuses what is no store, a Redux store that another replay has used, and a state that is not plain data', async () => {
  const creating = (store: object) => ({ ...notesAdapter, createStore: () => Object(store) });
  const problem = 'createStore() must return a store with getState and subscribe';
  await expect(replay(creating({}), [])).rejects.toThrow(problem);
  const used = creating(configureStore({ reducer: () => 0 }));
  await replay(used, []);
  await expect(replay(used, [])).rejects.toThrow('createStore() returned the same store twice');
  const keeping: StoreAdapter = {
    ...notesAdapter,
    onOpen: (store) => Object(store).setState({ notes: new Map() }),
  };
  const { steps } = await simulateStore(keeping, { header, records: [{ t: 1, type: 'open' }] });
  const error = { message: 'state.notes is a Map; a state is plain data (JSON)' };
  expect(steps).toMatchObject([{ thrown: { error } }]);
});
