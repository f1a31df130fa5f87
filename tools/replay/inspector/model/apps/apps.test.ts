import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { audioStarted, windowClosed, windowHidden, windowOpened } from '#shared/actions/mainActions.ts';
import { leftBottom, textBoxOpened, viewChanged } from '#shared/actions/windowActions.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { adapter as taskBoard } from '../../../../../examples/task-board/adapter.ts';
import { type CounterAdapter, counterAdapter } from '../../../testing/counterAdapter.ts';
import { SessionError } from '../trace/app.ts';
import type { Target } from '../search/findStep.ts';
import { inspectedParley } from './parley.ts';
import type { InspectorModel } from '../inspectorModel.ts';
import { acted, modelOf } from '../testing/modelOf.ts';
import { runTask } from '../trace/task.ts';
import { CHAT_RECORDS, type TeamChatFault, teamChat } from '../../../store/testing/teamChat.ts';
import { inLine, underTitles } from '../../../testing/drawText.ts';
import { STARTED_AT } from '../../../testing/files.ts';
import { adapterApp, storeApp } from './adapter.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../examples/task-board/captures');

const board = modelOf(readFileSync(join(CAPTURES, 'one-person.parley.jsonl'), 'utf8'), adapterApp(taskBoard));

const find = (target: Target, from = 0) => runTask(board.long.find({ from, direction: 'forward', target }));

test('finds expressions, changed fields, frames and texts of another app, and writes a part of its state as JSON', () => {
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
  const step = find({ kind: 'update', number: 3 }) ?? 0;
  const { state } = board.quick.view({ step }).app ?? {};
  expect(JSON.parse(board.quick.json({ step, path: 'state' }))).toEqual(state);
  const { paths } = runTask(board.long.searchState({ step, text: 'minutes' }));
  expect(paths).toEqual(['state.columns[0].cards[0].title', 'display.columns[0].cards[0].label']);
});

const received = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });

const fail = (where: string) => {
  throw new TypeError(`a fault in ${where}`);
};

const failing: CounterAdapter = {
  ...counterAdapter,
  reduce: (state, update) => (update[0] === 'bad' ? fail('reduce') : counterAdapter.reduce(state, update)),
  display: (state) => (state.totals['figs'] === 1 ? fail('display') : counterAdapter.display?.(state)),
};

const isAbout = (value: unknown, text: string) => JSON.stringify(value).includes(text);

const session = parleyAdapter();

const faults: Partial<typeof session> = {
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
};

const next: typeof session.next = (state) => (state.queue.length > 0 ? fail('next') : session.next(state));

const answer = (t: number, id: string) => recv(t, { id, modifier: 'ai', content: [] });

const describeAction: CounterAdapter['describeAction'] = ({ payload }) => ({
  text: `typed ${JSON.stringify(payload)}`,
  field: 'box',
});

const TYPED = ['a', 'ab'].map((text, t) => acted(t, { type: 'box/typed', payload: { text } }));
const counter = (parts: Partial<CounterAdapter> = {}) =>
  modelOf(TYPED, adapterApp({ ...counterAdapter, ...parts }));

const chat = async (fault: TeamChatFault = {}) => {
  const given = { header: Object({ startedAt: STARTED_AT }), records: CHAT_RECORDS };
  return modelOf(CHAT_RECORDS, await storeApp(teamChat(fault))(given));
};

const VIEW = viewChanged({ view: 'conversation' });
const [ADA, STARTED] = [recv(0, { name: 'Ada' }), acted(40, audioStarted())];
const FAULTS = [answer(10, 'undecodable'), answer(20, 'bad frame'), answer(30, 'unreleasable')];
const TREE = { modifier: 'ai', content: [{ category: 'text', text: 'hi' }], 'a b': [1, null] };

/** The text of a message streams in, and is replaced by another one; `{}` is a notification. */
const STREAMED = [
  { text: 'no target' },
  { modifier: 'ai', context: 'Bot', content: [{ category: 'text', text: 'A' }] },
  { text: 'A b' },
  { name: 'Ada' },
  { seen: true },
  ...['A b c', 'new'].map((text) => ({ text })),
  { category: 'text', text: null },
  ...['first', null].map((text) => ({ text })),
  { person: 'Ada', messages: [{ modifier: 'ai', content: [{ text: 'S' }] }] },
  { text: 'Sn' },
  {},
  { context: 'Last' },
  {},
];

/** Sessions by what they show. */
const SESSIONS = {
  'another app: frames, updates with their kinds, actions and rejected frames': board,
  'exceptions of an adapter': modelOf(
    ['bad 1', 'figs 1', 'figs 1'].map((text, i) => received(10 * i, text)),
    adapterApp(failing),
  ),
  'exceptions of Parley’s own code': modelOf(
    [ADA, ...FAULTS, STARTED, answer(50, 'good')],
    inspectedParley({ ...session, ...faults }),
  ),
  'a queue that throws: no update is released, and the records after it are steps': modelOf(
    [ADA, answer(30, 'x'), STARTED],
    inspectedParley({ ...session, next }),
  ),
  'actions by their payloads': counter(),
  'actions as the adapter describes them, with the field of an edit': counter({ describeAction }),
  'actions that the adapter cannot describe': counter({ describeAction: () => fail('words') }),
  'the bands of the connection and the errors': modelOf([
    { t: 0, type: 'open' },
    acted(10, { type: 'connection/confirmed' }),
    recv(15, 7),
    { t: 40, type: 'close', code: 1006, reason: '' },
    acted(60, { type: 'connection/confirmed' }),
    { t: 90, type: 'close', code: 1000, reason: 'logout' },
  ]),
  'what each update adds: the new part of a streamed text, and the text of a notification': modelOf(
    STREAMED.map((frame) => recv(0, frame)),
  ),
  'the first open window, the chosen one while it is open, or that of the act': modelOf([
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
  ]),
  'a conversation without windows, from the launch on': modelOf([STARTED, { t: 50, type: 'launch' }]),
  'a store, with what its steps do, at the frames that caused them': await chat(),
  'exceptions of a store': await chat({ throwsAt: 'hello' }),
};

/** What a person can choose beside the default: a window, or that of the step's action when there is one. */
const CHOSEN = [{ window: 1 }, { window: 2 }, { window: 1, isActPreferred: true }];

/** Draws all that the panes show of a session: its description, its timeline, and each listed step with what it changed. */
function drawSession({ quick, long, info }: InspectorModel): string {
  runTask(long.filter({ filter: { openEdits: [] } }));
  const { connection, errors, ...series } = quick.timeline({ from: 5, to: info.duration + 10, columns: 24 });
  const { header: _header, ...described } = info;
  const lines = [inLine(described), inLine(connection), inLine(errors)];
  lines.push(...Object.entries(series).map(([name, counts]) => `${name}: ${String(counts)}`));
  for (const row of [{ step: 0, summary: '' }, ...quick.rows({ from: 0, to: info.steps })]) {
    const viewOf = (chosen: object = {}) => quick.view({ step: row.step, ...chosen });
    const { diff, wire, waiting, editable, parley, app, ...shown } = viewOf();
    const { number, isVisible, state } = parley?.window ?? {};
    const { view, textBox, scroll } = state?.own ?? {};
    const chosen = CHOSEN.map((choice) => viewOf(choice).parley?.window.number);
    const parts = {
      wire: wire?.direction === 'none' || wire?.text === row.summary ? undefined : wire?.text,
      rejection: wire?.rejection,
      // The places of the calls are those of the machine.
      failure: (shown.failure ?? app?.failure)?.replaceAll(/\n +at .*/g, ''),
      notification: parley?.notification && inLine(parley.notification),
      window: state && inLine({ number, isVisible, chosen, view, textBox, ...scroll }),
    };
    lines.push(inLine({ ...row, waiting, editable }));
    for (const [name, part] of Object.entries(parts))
      if (part !== undefined) lines.push(`  ${name}: ${part}`);
    for (const { path, before, after } of diff) lines.push(`  ${path}: ${inLine(before)} → ${inLine(after)}`);
  }
  return lines.join('\n');
}

/** Draws the tree of the state after the last step, below a path. */
function drawTree(model: InspectorModel, path = ''): string {
  const nodes = model.quick.children({ step: model.info.steps, path, from: 0, to: 99 });
  return nodes
    .map(
      (node) => `${node.path}: ${node.type} of ${node.size}, ${node.preview}\n${drawTree(model, node.path)}`,
    )
    .join('');
}

test('shows each step of a session with what it changed, also after an exception, and the tree of a state', async () => {
  const sessions = Object.entries(SESSIONS).map(([title, model]) => [title, drawSession(model)]);
  const tree = drawTree(modelOf([recv(30, TREE)]));
  const text = underTitles({ ...Object.fromEntries(sessions), 'the tree of a state': tree });
  await expect(text).toMatchFileSnapshot('../testing/sessions.txt');
});

test('shows the stack of an exception, finds the next one, and refuses a path where nothing is', () => {
  const { quick } = modelOf([received(0, 'figs 1'), received(10, 'bad 1')], adapterApp(failing));
  const step = quick.nextError({ from: 0, direction: 'forward' }) ?? 0;
  expect(quick.view({ step }).failure).toMatch(/^TypeError: a fault in reduce\n.* at .*reduce/s);
  expect(quick.view({ step: 2 }).app?.failure).toMatch(/^TypeError: a fault in display\n.* at .*display/s);
  expect(() => quick.children({ step, path: 'state[7]', from: 0, to: 9 })).toThrow('nothing at state[7].');
});

test('refuses edits of the session of a store, and a store that cannot be created', async () => {
  const { long } = await chat();
  const edit = () => runTask(long.edit({ edits: [{ kind: 'skip', record: 2 }] }));
  expect(edit).toThrow(/its session cannot be edited\.$/);
  const given = { header: Object({ startedAt: '2026-01-01' }), records: [] };
  const adapter = { ...teamChat(), createStore: () => Object({}) };
  await expect(storeApp(adapter)(given)).rejects.toThrow(SessionError);
});
