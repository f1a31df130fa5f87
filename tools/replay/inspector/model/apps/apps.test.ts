import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { audioStarted, windowClosed, windowHidden, windowOpened } from '#shared/actions/mainActions.ts';
import { leftBottom, textBoxOpened, viewChanged } from '#shared/actions/windowActions.ts';
import { recv } from '#tests/builders/recv.ts';
import { adapter as taskBoard } from '../../../../../examples/task-board/adapter.ts';
import type { AppAdapter } from '../../../engine/appAdapter.ts';
import {
  type Added,
  type Counter,
  type CounterAdapter,
  counterAdapter,
} from '../../../testing/counterAdapter.ts';
import type { Target } from '../search/findStep.ts';
import { captureText } from '../testing/captureText.ts';
import { appModel, modelOf, parleyAt } from '../testing/modelOf.ts';
import { runTask } from '../trace/task.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../examples/task-board/captures');

const board = appModel(taskBoard, readFileSync(join(CAPTURES, 'one-person.parley.jsonl'), 'utf8'));

const received = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });
const model = (adapter: AppAdapter, records: readonly CaptureRecord[]) =>
  appModel(adapter, captureText(records));
const find = ({ long }: typeof board, target: Target, from = 0) =>
  runTask(long.find({ from, direction: 'forward', target }));

test('lists the steps of another app: frames, updates with their kinds, actions and rejected frames', () => {
  const { info, quick, long } = board;
  expect(info).toMatchObject({ app: { name: 'task-board', hasQueue: false }, windows: [] });
  expect(info).not.toHaveProperty('messages');
  runTask(long.filter({ filter: {} }));
  const rows = quick.rows({ from: 0, to: info.steps });
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
  const step = find(board, { kind: 'update', number: 3 }) ?? 0;
  const view = board.quick.view({ step });
  expect(view.row).toMatchObject({ kind: 'applied', update: 3 });
  expect(view).not.toHaveProperty('parley');
  expect(view.app).toMatchObject({
    state: { columns: expect.any(Array), isConnected: true },
    display: { status: expect.stringContaining('Here') },
  });
  expect(view.diff.map(({ path }) => path.replace(/[[.].*/, ''))).toEqual(
    expect.arrayContaining(['state', 'display', 'counts']),
  );
  const children = board.quick.children({ step, path: '', from: 0, to: 100 });
  expect(children.map(({ path }) => path)).toEqual([
    'state',
    'display',
    'connection',
    'counts',
    'queue',
    'clock',
  ]);
  expect(JSON.parse(board.quick.json({ step, path: 'state' }))).toEqual(view.app?.state);
  expect(runTask(board.long.searchState({ step, text: 'minutes' })).paths).toEqual([
    'state.columns[0].cards[0].title',
    'display.columns[0].cards[0].label',
  ]);
});

test('finds expressions, changed fields and frames of another app', () => {
  const isApplied = (step: number | undefined) => board.quick.view({ step: step ?? 0 }).row;
  expect(
    isApplied(find(board, { kind: 'expression', expression: 'state.columns[2].cards.length == 2' })),
  ).toMatchObject({
    kind: 'applied',
    update: 8,
  });
  expect(isApplied(find(board, { kind: 'change', path: 'display.title' }))).toMatchObject({
    kind: 'applied',
  });
  expect(isApplied(find(board, { kind: 'change', path: 'state.columns.length' }))).toMatchObject({
    update: 1,
  });
  expect(isApplied(find(board, { kind: 'frame', text: 'cardMoved' }))).toMatchObject({ kind: 'received' });
  expect(find(board, { kind: 'expression', expression: 'connection == "disconnected"' }, 1)).toBe(
    board.info.steps,
  );
  expect(() => find(board, { kind: 'change', path: 'columns' })).toThrow('a path begins with state, display');
  expect(() => find(board, { kind: 'expression', expression: 'messages.length' })).toThrow(
    'there are state, display',
  );
  expect(() => find(board, { kind: 'message', id: 'a' })).toThrow('Only sessions of Parley have messages');
});

function reduceCounter(state: Counter, update: Added): Counter {
  if (update[0] === 'bad') throw new TypeError('no such fruit');
  return counterAdapter.reduce(state, update);
}

test('shows an exception of the adapter with its stack at its step, and continues', () => {
  const failing: CounterAdapter = {
    ...counterAdapter,
    reduce: reduceCounter,
    display(state) {
      if (state.totals['figs'] === 1) throw new RangeError('figs');
      return counterAdapter.display?.(state);
    },
  };
  const { quick, info } = model(failing, [
    received(0, 'bad 1'),
    received(10, 'figs 1'),
    received(20, 'figs 1'),
  ]);
  const step = quick.nextError({ from: 0, direction: 'forward' }) ?? 0;
  const view = quick.view({ step });
  expect(view.row).toMatchObject({
    kind: 'ignored',
    summary: 'the adapter threw TypeError: no such fruit',
  });
  expect(view.failure).toMatch(/^TypeError: no such fruit\n.* at .*reduceCounter/s);
  expect(quick.view({ step: 4 }).app?.failure).toMatch(/^RangeError: figs\n/);
  expect(quick.view({ step: info.steps }).app).toMatchObject({ display: { text: ['figs: 2'] } });
});

const acted = (t: number, text: string): CaptureRecord => ({
  t,
  type: 'action',
  action: { type: 'box/typed', payload: { text } },
});

const rowsOf = (adapter: AppAdapter, openEdits?: number[]) => {
  const { long, quick } = model(adapter, [acted(1, 'a'), acted(2, 'ab')]);
  runTask(long.filter({ filter: { ...(openEdits && { openEdits }) } }));
  return quick.rows({ from: 0, to: 9 });
};

test('describes an action by its payload, or as the adapter does, which can name the field of an edit', () => {
  expect(rowsOf(counterAdapter).map(({ summary }) => summary)).toEqual([
    'box/typed {"text":"a"}',
    'box/typed {"text":"ab"}',
  ]);
  const described: AppAdapter = {
    ...counterAdapter,
    describeAction: ({ payload }) => ({ text: `typed ${JSON.stringify(payload)}`, field: 'box' }),
  };
  expect(rowsOf(described, [])).toMatchObject([
    { step: 2, summary: 'box/typed typed {"text":"ab"}', edits: { first: 1, count: 2, isOpen: false } },
  ]);
  const throwing: AppAdapter = {
    ...counterAdapter,
    describeAction() {
      throw new Error('no words');
    },
  };
  expect(rowsOf(throwing)).toHaveLength(2);
});

const act = (t: number, { type, payload }: { type: string; payload?: unknown }, window?: number) => ({
  t,
  type: 'action' as const,
  action: { type, payload },
  ...(window !== undefined && { window }),
});

const VIEW = viewChanged({ view: 'conversation' });

const TWO_WINDOWS = modelOf([
  act(0, windowOpened(1)),
  act(1, VIEW, 1),
  act(2, windowOpened(2)),
  act(3, VIEW, 2),
  act(4, textBoxOpened({ text: 'hello' }), 2),
  act(5, leftBottom(), 1),
  act(6, windowHidden(1)),
  act(7, windowClosed(1)),
  act(8, windowClosed(2)),
]);

const shown = (step: number, window?: number) =>
  parleyAt(TWO_WINDOWS, { step, ...(window !== undefined && { window }) }).window;

test('shows the first open window, and the chosen one while it is open', () => {
  expect([0, 1, 2, 6].map((step) => shown(step).number)).toEqual([null, 1, 1, 1]);
  expect([2, 6, 8, 9].map((step) => shown(step, 2).number)).toEqual([1, 2, 2, null]);
  expect(shown(5, 2).state.own.textBox).toBe('hello');
  expect(shown(5, 1).state.own.textBox).toBeNull();
  expect(shown(6).state.own.scroll.isAtBottom).toBe(false);
  expect([6, 7].map((step) => shown(step).isVisible)).toEqual([false, false]);
  expect(TWO_WINDOWS.info.windows).toEqual([1, 2]);
});

const views = (session: ReturnType<typeof modelOf>) =>
  [0, 1, 2].map((step) => parleyAt(session, { step }).window.state.own.view);

test('shows the conversation of a capture without windows from its launch on, or from its start', () => {
  const frame = recv(9, { name: 'Ada' });
  expect(views(modelOf([frame]))).toEqual(['conversation', 'conversation', 'conversation']);
  expect(views(modelOf([act(0, audioStarted()), { t: 5, type: 'launch' }, frame]))).toEqual([
    'splash',
    'splash',
    'conversation',
  ]);
});
