import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { audioStarted, windowClosed, windowHidden, windowOpened } from '#shared/actions/mainActions.ts';
import { leftBottom, textBoxOpened, viewChanged } from '#shared/actions/windowActions.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { recv } from '#tests/builders/recv.ts';
import { adapter as taskBoard } from '../../../../../examples/task-board/adapter.ts';
import { type CounterAdapter, counterAdapter } from '../../../testing/counterAdapter.ts';
import { type InspectedApp, SessionError } from '../trace/app.ts';
import type { Target } from '../search/findStep.ts';
import { inspectedParley } from './parley.ts';
import { acted, captureText, modelOf, parleyAt } from '../testing/modelOf.ts';
import { runTask } from '../trace/task.ts';
import { CHAT_RECORDS, type TeamChatFault, teamChat } from '../../../store/testing/teamChat.ts';
import { modelClient } from '../../page/session/testing/modelClient.ts';
import { adapterApp, storeApp } from './adapter.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../examples/task-board/captures');

const board = modelOf(readFileSync(join(CAPTURES, 'one-person.parley.jsonl'), 'utf8'), adapterApp(taskBoard));

const find = (target: Target, from = 0) => runTask(board.long.find({ from, direction: 'forward', target }));

function rowsOf({ long, quick, info }: typeof board, filter = {}) {
  runTask(long.filter({ filter }));
  return quick.rows({ from: 0, to: info.steps });
}

test('lists the steps of another app: frames, updates with their kinds, actions and rejected frames', () => {
  expect(board.info).toMatchObject({ app: { name: 'task-board', hasQueue: false }, windows: [] });
  expect(board.info).not.toHaveProperty('messages');
  const rows = rowsOf(board);
  expect(rows.slice(0, 5)).toMatchObject([
    { kind: 'open', changed: true, summary: 'connection opened' },
    { kind: 'rejected', summary: 'unknown type', changed: false },
    { kind: 'received', updateKind: 'received' },
    { kind: 'applied', updateKind: 'received', update: 1, delay: 0, changed: true },
    { kind: 'sent', changed: false },
  ]);
  expect(rows.findLast(({ kind }) => kind === 'applied')?.summary).toMatch(/^\{"type":"/);
});

test('shows the state, the display and the changes of a step, without parts of Parley', () => {
  const step = find({ kind: 'update', number: 3 }) ?? 0;
  const view = board.quick.view({ step });
  expect(view.row).toMatchObject({ kind: 'applied', update: 3 });
  expect(view).not.toHaveProperty('parley');
  const display = { status: expect.stringContaining('Here') };
  expect(view.app).toMatchObject({ state: { columns: expect.any(Array), isConnected: true }, display });
  const changed = new Set(view.diff.map(({ path }) => path.replace(/[[.].*/, '')));
  expect([...changed].sort()).toEqual(['counts', 'display', 'state']);
  const children = board.quick.children({ step, path: '', from: 0, to: 100 });
  expect(children.map(({ path }) => path).join()).toBe('state,display,connection,counts,queue,clock');
  expect(JSON.parse(board.quick.json({ step, path: 'state' }))).toEqual(view.app?.state);
  const { paths } = runTask(board.long.searchState({ step, text: 'minutes' }));
  expect(paths).toEqual(['state.columns[0].cards[0].title', 'display.columns[0].cards[0].label']);
});

test('finds expressions, changed fields and frames of another app', () => {
  const at = (target: Target) => board.quick.view({ step: find(target) ?? 0 }).row;
  const cards: Target = { kind: 'expression', expression: 'state.columns[2].cards.length == 2' };
  expect(at(cards)).toMatchObject({ kind: 'applied', update: 8 });
  expect(at({ kind: 'change', path: 'display.title' })).toMatchObject({ kind: 'applied' });
  expect(at({ kind: 'change', path: 'state.columns.length' })).toMatchObject({ update: 1 });
  expect(at({ kind: 'frame', text: 'cardMoved' })).toMatchObject({ kind: 'received' });
  const ended: Target = { kind: 'expression', expression: 'connection == "disconnected"' };
  expect(find(ended, 1)).toBe(board.info.steps);
  expect(() => find({ kind: 'change', path: 'columns' })).toThrow('a path begins with state, display');
  expect(() => find({ kind: 'expression', expression: 'messages' })).toThrow('there are state, display');
  expect(() => find({ kind: 'message', id: 'a' })).toThrow('Only sessions of Parley have messages');
});

const received = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });

const fail = (where: string) => {
  throw new TypeError(`a fault in ${where}`);
};
const threw = (by: string, where: string) => `the ${by} threw TypeError: a fault in ${where}`;

test('shows an exception of the adapter with its stack at its step, and continues', () => {
  const failing: CounterAdapter = {
    ...counterAdapter,
    reduce: (state, update) => (update[0] === 'bad' ? fail('reduce') : counterAdapter.reduce(state, update)),
    display: (state) => (state.totals['figs'] === 1 ? fail('display') : counterAdapter.display?.(state)),
  };
  const records = [received(0, 'bad 1'), received(10, 'figs 1'), received(20, 'figs 1')];
  const { quick, info } = modelOf(records, adapterApp(failing));
  const step = quick.nextError({ from: 0, direction: 'forward' }) ?? 0;
  const { row, failure } = quick.view({ step });
  expect(row).toMatchObject({ kind: 'ignored', summary: threw('adapter', 'reduce') });
  expect(failure).toMatch(/^TypeError: a fault in reduce\n.* at .*reduce/s);
  expect(quick.view({ step: 4 }).app?.failure).toMatch(/^TypeError: a fault in display\n/);
  expect(quick.view({ step: info.steps }).app).toMatchObject({ display: { text: ['figs: 2'] } });
});

const isAbout = (value: unknown, text: string) => JSON.stringify(value).includes(text);

/** Parley, with faults in the decoder, in the rule for the release of an update, and in two reducers. */
function faultyParley(): InspectedApp {
  const session = parleyAdapter();
  return inspectedParley({
    ...session,
    take(record, ...rest) {
      if (isAbout(record, 'undecodable')) fail('decode');
      return session.take(record, ...rest);
    },
    release(state, tick) {
      if (isAbout(session.next(state)?.update, 'unreleasable')) fail('release');
      return session.release(state, tick);
    },
    reduce(state, action) {
      const isBad = action.type === 'update/applied' && isAbout(action, 'bad frame');
      if (isBad || action.type === 'audio/started') fail('reduce');
      return session.reduce(state, action);
    },
  });
}

const answer = (t: number, id: string) => recv(t, { id, modifier: 'ai', content: [] });

test('shows an exception of Parley’s own code at its step, and continues', () => {
  const faults = [answer(10, 'undecodable'), answer(20, 'bad frame'), answer(30, 'unreleasable')];
  const records = [recv(0, { name: 'Ada' }), ...faults, acted(40, audioStarted()), answer(50, 'good')];
  const loaded = modelOf(records, faultyParley());
  const { quick, info } = loaded;
  expect(rowsOf(loaded)).toMatchObject([
    { kind: 'received' },
    { kind: 'rejected', summary: threw('app', 'decode') },
    { kind: 'received' },
    { kind: 'received' },
    { kind: 'action', summary: threw('app', 'reduce'), changed: false },
    { kind: 'received' },
    { kind: 'applied', update: 1 },
    { kind: 'ignored', update: 2, record: 3, summary: threw('app', 'reduce') },
    { kind: 'ignored', update: 3, record: 4, summary: threw('app', 'release') },
    { kind: 'applied', update: 4, record: 6, changed: true },
  ]);
  expect(quick.view({ step: 2 }).wire?.rejection).toBe('decode threw TypeError: a fault in decode');
  expect(quick.view({ step: 8 }).failure).toMatch(/^TypeError: a fault in reduce\n.* at .*reduce/s);
  expect(info).toMatchObject({ frames: { received: 5, rejected: 1 }, updates: 4, messages: 1 });
  expect(quick.nextError({ from: 5, direction: 'forward' })).toBe(8);
  expect(parleyAt(loaded, { step: 10 }).conversation.messages).toMatchObject([{ id: 'good' }]);
});

test('shows a session whose queue throws: no update is released, and the records after it are steps', () => {
  const session = parleyAdapter();
  const next: typeof session.next = (state) => (state.queue.length > 0 ? fail('next') : session.next(state));
  const records = [recv(0, { name: 'Ada' }), answer(200, 'x'), acted(300, audioStarted())];
  const loaded = modelOf(records, inspectedParley({ ...session, next }));
  expect(rowsOf(loaded)).toMatchObject([
    { kind: 'received' },
    { kind: 'received', summary: threw('app', 'next') },
    { kind: 'action', summary: threw('app', 'next') },
  ]);
  expect(loaded.info).toMatchObject({ frames: { received: 2, rejected: 0 }, updates: 0, messages: 0 });
});

const describeAction: CounterAdapter['describeAction'] = ({ payload }) => ({
  text: `typed ${JSON.stringify(payload)}`,
  field: 'box',
});

test('describes an action by its payload, or as the adapter does, which can name the field of an edit', () => {
  const typed = ['a', 'ab'].map((text, t) => acted(t, { type: 'box/typed', payload: { text } }));
  const rowsBy = (adapter: Partial<CounterAdapter>, filter = {}) =>
    rowsOf(modelOf(typed, adapterApp({ ...counterAdapter, ...adapter })), filter);
  const summaries = ['a', 'ab'].map((text) => ({ summary: `box/typed {"text":"${text}"}` }));
  expect(rowsBy({})).toMatchObject(summaries);
  expect(rowsBy({ describeAction }, { openEdits: [] })).toMatchObject([
    { step: 2, summary: 'box/typed typed {"text":"ab"}', edits: { first: 1, count: 2, isOpen: false } },
  ]);
  expect(rowsBy({ describeAction: () => fail('words') })).toHaveLength(2);
});

const VIEW = viewChanged({ view: 'conversation' });

test('shows the first open window, the chosen one while it is open, or that of the act, and says what each act was', () => {
  const session = modelOf([
    acted(0, windowOpened(1)),
    acted(1, VIEW, 1),
    acted(2, windowOpened(2)),
    acted(3, VIEW, 2),
    acted(4, textBoxOpened({ text: 'hello' }), 2),
    acted(5, leftBottom(), 1),
    acted(5, textBoxOpened({ text: 'closed' }), 3),
    acted(6, windowHidden(1)),
    acted(7, windowClosed(1)),
    acted(8, windowClosed(2)),
    acted(9, { type: 'preferences/changed', payload: { theme: 'dark' } }),
  ]);
  const shown = (step: number, chosen: { window?: number; isActPreferred?: true } = {}) =>
    parleyAt(session, { step, ...chosen }).window;
  expect([0, 1, 2, 5, 6, 7].map((step) => shown(step).number)).toEqual([null, 1, 1, 2, 1, 1]);
  expect([2, 6, 9, 10].map((step) => shown(step, { window: 2 }).number)).toEqual([1, 2, 2, null]);
  const acting = [3, 5, 7].map((step) => shown(step, { window: 1, isActPreferred: true }).number);
  expect(acting).toEqual([1, 2, 1]);
  expect([1, 2].map((window) => shown(5, { window }).state.own.textBox)).toEqual([null, 'hello']);
  expect(shown(6).state.own.scroll.isAtBottom).toBe(false);
  expect([0, 6, 8].map((step) => shown(step).isVisible)).toEqual([true, false, false]);
  expect(session.info.windows).toEqual([1, 2]);
  const rows = rowsOf(session);
  expect([rows[4], rows[6], rows[10]]).toMatchObject([
    { summary: 'textBox/opened "hello", window 2', window: 2 },
    { summary: 'textBox/opened "closed", window 3', window: 3 },
    { summary: 'preferences/changed theme: "dark"' },
  ]);
});

const viewsOf = (records: readonly CaptureRecord[]) =>
  [0, 1, 2].map((step) => parleyAt(modelOf(records), { step }).window.state.own.view);

test('shows the conversation of a capture without windows from its launch on, or from its start', () => {
  const frame = recv(9, { name: 'Ada' });
  expect(viewsOf([frame])).toEqual(['conversation', 'conversation', 'conversation']);
  const launched = [acted(0, audioStarted()), { t: 5, type: 'launch' }, frame];
  expect(viewsOf(launched)).toEqual(['splash', 'splash', 'conversation']);
});

async function loadedStore(fault: TeamChatFault = {}) {
  const client = modelClient({ app: () => storeApp(teamChat(fault)) });
  const source = { kind: 'text', name: 'x', text: captureText(CHAT_RECORDS) } as const;
  return { info: await client.request('load', { source }), ask: client.request };
}

test('lists the steps of a store with what they do, at the frame that caused them', async () => {
  const { info, ask } = await loadedStore();
  const frames = { received: 6, rejected: 0 };
  expect(info).toMatchObject({ updates: 9, frames, app: { name: 'team-chat' } });
  await ask('filter', { filter: {} });
  expect(await ask('rows', { from: 0, to: 13 })).toMatchObject([
    { kind: 'open' },
    { kind: 'received', summary: '{"event":"typing","user":"u1"}' },
    { kind: 'applied', updateKind: 'chat/typed', summary: 'typed "u1"', record: 2 },
    { kind: 'received', record: 3 },
    { kind: 'applied', updateKind: 'chat/stopped', record: 3, changed: true },
    { kind: 'applied', updateKind: 'chat/posted', record: 3, summary: expect.stringContaining('posted {') },
    { kind: 'ignored', updateKind: 'chat/loadName/pending', record: 3 },
    { kind: 'other', summary: 'request 1: GET /api/users/u1' },
    { kind: 'received' },
    { kind: 'other', summary: 'request 1: status 200' },
    { kind: 'applied', updateKind: 'chat/loadName/fulfilled', record: 3, t: 40, delay: 30 },
    { kind: 'received' },
    { kind: 'applied', updateKind: 'chat/readBatch', t: 160, record: 7, delay: 100 },
  ]);
  expect(await ask('view', { step: 13 })).toMatchObject({
    diff: expect.arrayContaining([{ path: 'state.read', before: 0, after: 2 }]),
    app: { display: ['hello'], state: { read: 2 } },
    wire: { text: '{"event":"read"}' },
  });
});

test('shows the exception of a store at its step, and continues', async () => {
  const { ask } = await loadedStore({ throwsAt: 'hello' });
  const step = (await ask('nextError', { from: 0, direction: 'forward' })) ?? 0;
  expect(await ask('view', { step })).toMatchObject({
    row: { updateKind: 'chat/posted', summary: 'the adapter threw TypeError: a post that is not expected' },
    failure: expect.stringMatching(/^TypeError: a post that is not expected\n +at /),
  });
  expect(await ask('view', { step: 99 })).toMatchObject({ app: { display: ['again'], state: { read: 3 } } });
});

test('refuses edits of the session of a store, and a store that cannot be created', async () => {
  const { ask } = await loadedStore();
  const edits = [{ kind: 'skip', record: 2 }] as const;
  await expect(ask('edit', { edits })).rejects.toThrow(/its session cannot be edited\.$/);
  const given = { header: Object({ startedAt: '2026-01-01' }), records: [] };
  const adapter = { ...teamChat(), createStore: () => Object({}) };
  await expect(storeApp(adapter)(given)).rejects.toThrow(SessionError);
});
