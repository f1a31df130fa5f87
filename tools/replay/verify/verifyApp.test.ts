import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { goldenPath } from '../golden/goldenFile.ts';
import { type Counter, type CounterAdapter, counterAdapter as app } from '../testing/counterAdapter.ts';
import { captureOf } from '../testing/files.ts';
import { verifyApp, verifyParley } from './testing/verifyParley.ts';

/** Returns a capture of the counter, with its golden. */
async function counted(adapter = app): Promise<string> {
  const capture = await captureOf([
    { t: 0, type: 'open' },
    { t: 1, type: 'recv', data: 'apples 2' },
    { t: 2, type: 'recv', data: 'pears 0' },
    { t: 3, type: 'recv', data: 'pears' },
    { t: 4, type: 'recv', data: 'apples 3' },
    { t: 5, type: 'close', code: 1000, reason: 'done' },
  ]);
  expect(await verifyApp(capture, { app: adapter, update: true })).toMatchObject({ golden: 'new' });
  return capture;
}

test('writes a golden of an app, and finds no difference', async () => {
  const capture = await counted();
  const golden: unknown = JSON.parse(await readFile(goldenPath(capture), 'utf8'));
  expect(golden).toMatchObject({
    app: 'counter',
    connection: [{ status: 'disconnected' }, { status: 'connected' }, { closedBecause: '1000 done' }],
    acts: [
      { at: 0, changes: { state: { totals: {}, isOpen: false }, display: { text: [] } } },
      { at: 0, changes: { 'state.isOpen': true } },
      { at: 5, changes: { 'state.isOpen': false } },
    ],
    rejected: [{ frame: 3, reason: 'no amount', where: 'pears.amount' }],
    steps: [
      {
        kind: 'apples',
        effect: 'applied',
        changes: { 'state.totals.apples': 2, 'display.text[0]': 'apples: 2' },
      },
      { kind: 'pears', effect: 'ignored', changes: { 'counts.ignored': 1 } },
      { kind: 'apples', changes: { 'counts.rejected["no amount"]': 1, 'state.totals.apples': 5 } },
    ],
  });
  expect(await verifyApp(capture, { app })).toMatchObject({ outcome: 'same', updates: 3 });
});

const having = (place: object): unknown => expect.arrayContaining([expect.objectContaining(place)]);

/** Adapters with one fault each, and the first path that shows it. */
const FAULTS: readonly [string, Partial<CounterAdapter>, object][] = [
  [
    'reducer',
    { reduce: (state, update) => app.reduce(state, [update[0], update[1] * 2]) },
    { state: having({ path: 'state.totals.apples' }) },
  ],
  ['display', { display: () => ({ text: ['none'] }) }, { state: having({ path: 'display.text[0]' }) }],
  ['decoder', { decode: () => ({ rejected: 'no' }) }, { state: having({ path: 'update' }) }],
  ['queue', { tick: (at) => at + 1 }, { state: having({ path: 'update.tick', expected: 1, got: 2 }) }],
  ['kind', { kind: () => 'other' }, { state: having({ path: 'update.kind' }) }],
  [
    'kind that is no text',
    // An app without types can return it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    { kind: () => Number.NaN as never },
    { update: expect.objectContaining({ kind: 'NaN' }) },
  ],
  [
    'action reducer',
    { reduceAction: (state) => state },
    { state: [], end: having({ path: 'state.isOpen at 0 ms' }) },
  ],
  [
    'part of the display that never changes',
    { display: (state) => ({ ...Object(app.display?.(state)), title: 'Counter' }) },
    { state: [], end: having({ path: 'display at 0 ms' }) },
  ],
];

test.each(FAULTS)('finds a change of the %s', async (_, fault, difference) => {
  const capture = await counted();
  const result = Object(await verifyApp(capture, { app: { ...app, ...fault } }));
  expect(result).toMatchObject({ outcome: 'differs', difference });
});

test('compares with the adapter of another revision instead of the golden', async () => {
  const capture = await counted();
  await writeFile(goldenPath(capture), 'not a golden');
  const base: CounterAdapter = { ...app, display: () => null };
  expect(await verifyApp(capture, { app, appBase: app })).toMatchObject({ outcome: 'same' });
  expect(await verifyApp(capture, { app, appBase: base })).toMatchObject({
    outcome: 'differs',
    difference: { update: { number: 1 }, state: [{ path: 'display.text[0]' }] },
  });
});

const freeze = ({ totals, isOpen }: Counter) =>
  Object.freeze({ totals: Object.freeze({ ...totals }), isOpen });

test('names the path that a reducer mutated, also when the app freezes its states', async () => {
  const capture = await counted();
  for (const prepare of [(state: Counter) => state, freeze]) {
    const mutating: CounterAdapter = {
      ...app,
      initialState: prepare(structuredClone(app.initialState)),
      reduce(state, update) {
        if (update[0] === 'pears') Object.assign(state.totals, { apples: 9 });
        return prepare(app.reduce(state, update));
      },
    };
    expect(await verifyApp(capture, { app: mutating })).toMatchObject({
      outcome: 'differs',
      difference: { mutated: { update: 2, path: 'state.totals.apples' }, thrown: { name: 'TypeError' } },
    });
  }
});

/** Has a set after the second update, and none at the end. */
const withSet: CounterAdapter['reduce'] = (state, update) => {
  const { seen: _seen, ...next } = Object(app.reduce(state, update));
  return update[0] === 'pears' ? { ...next, seen: { ids: new Set([1]) } } : next;
};

test('refuses plain data at the first update without it, also when the end is plain, and writes no golden', async () => {
  const capture = await counted();
  const problem = 'state.seen.ids is a Set; a state is plain data (JSON)';
  const faulty = { ...app, reduce: withSet };
  expect(await verifyApp(capture, { app: faulty })).toMatchObject({
    outcome: 'differs',
    difference: {
      update: { number: 2, kind: 'pears' },
      end: [{ path: 'error', got: `TypeError: ${problem}` }],
      thrown: { name: `TypeError: ${problem}`, stack: [] },
    },
  });
  const golden = await readFile(goldenPath(capture), 'utf8');
  expect(await verifyApp(capture, { app: faulty, update: true })).toMatchObject({
    outcome: 'unusable',
    problem: `${capture}: the replayed code threw TypeError: ${problem}`,
  });
  expect(await readFile(goldenPath(capture), 'utf8')).toBe(golden);
});

test.each<readonly [string, () => unknown]>([
  ['Date.now()', () => Date.now()],
  ['performance.now()', () => performance.now()],
  ['Math.random()', () => Math.random() < 0.5],
])('writes no golden of a reducer that reads %s, and names the path', async (_, read) => {
  const capture = await counted();
  const golden = await readFile(goldenPath(capture), 'utf8');
  const reduce: CounterAdapter['reduce'] = (state, update) =>
    update[0] === 'pears' ? Object({ ...state, last: { read: read() } }) : app.reduce(state, update);
  const [random, now, date] = [Math.random, performance.now, Date];
  const result = await verifyApp(capture, { app: { ...app, reduce }, update: true });
  expect(result).toMatchObject({
    outcome: 'unusable',
    problem: `${capture}: the reducer is not deterministic: two replays differ in state.last.read after update 2; it may read no clock and no random numbers`,
  });
  expect(await readFile(goldenPath(capture), 'utf8')).toBe(golden);
  expect([Math.random, performance.now, Date]).toEqual([random, now, date]);
});

test('refuses the golden of another app, and of Parley', async () => {
  const capture = await counted();
  const path = goldenPath(capture);
  expect(await verifyParley(capture)).toMatchObject({
    outcome: 'unusable',
    problem: `${path}: is a golden of counter, not of Parley; give the adapter of counter with --app`,
  });
  expect(await verifyApp(capture, { app: { ...app, name: 'board' } })).toMatchObject({
    problem: `${path}: is a golden of counter, not of board; give the adapter of counter with --app`,
  });
});
