import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { actionRecord, reduceActs } from '#shared/capture/recordedActions.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import type { ReplayState } from '../parley/parley.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { goldenPath } from '../golden/goldenFile.ts';
import { type Counter, type CounterAdapter, counterAdapter as app } from '../testing/counterAdapter.ts';
import { captureOf, writeCapture } from '../testing/files.ts';
import { verifyApp, verifyParley } from './testing/verifyParley.ts';
import { resultLines, unpainted } from './resultLines.ts';
import { recordOf, withoutValues } from './resultRecord.ts';
import { recordTwice } from './verifyCapture.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hello')),
  recv(2, { text: 'Hello' }),
  recv(3, { ring: true }),
  recv(4, { text: 'Hello again' }),
  { t: 5, type: 'recv', data: 'not JSON' },
];

async function withGolden(records: Parameters<typeof writeCapture>[1] = RECORDS) {
  const capture = await captureOf(records);
  await verifyParley(capture, { update: true });
  return { capture, golden: goldenPath(capture) };
}

const HELLO = { kind: 'text', frame: { text: 'HELLO' } } as const;

const loud: ReplayCode = {
  ...appCode,
  applyUpdate: (conversation, update) => applyUpdate(conversation, update.kind === 'text' ? HELLO : update),
};

test('names the first update with before, expected and got when the fold changed, also when the difference is gone at the end', async () => {
  const { capture } = await withGolden([...RECORDS, recv(6, { person: 'Ada', messages: [] })]);
  expect(await verifyParley(capture)).toMatchObject({ capture, outcome: 'same', updates: 6, warnings: [] });
  const difference = {
    update: { number: 3, kind: 'text', effect: 'applied', tick: 300 },
    state: [{ path: 'messages[0].content[1].text', before: 'hello', expected: 'Hello', got: 'HELLO' }],
  };
  expect(await verifyParley(capture, { code: loud })).toMatchObject({ outcome: 'differs', difference });
});

test('reports a missing and an additional update', async () => {
  const records = [...RECORDS, recv(900, { text: 'later' })];
  const { capture } = await withGolden(records);
  for (const [others, number, place] of [
    [RECORDS, 6, { expected: 'text, applied' }],
    [[...records, recv(1900, { context: 'more' })], 7, { got: 'context, applied' }],
  ] as const) {
    await writeCapture(capture, others);
    const difference = { update: { number }, state: [{ path: 'update', ...place }] };
    expect(await verifyParley(capture)).toMatchObject({ difference });
  }
});

/** Verifies a capture whose golden has one other value; returns the number of the first update that differs, and the places. */
async function placesWith(from: string | RegExp, to: string) {
  const confirmed = actionRecord({ type: 'connection/confirmed' }, 0);
  const { capture, golden } = await withGolden([confirmed, ...RECORDS]);
  const text = await readFile(golden, 'utf8');
  expect(text).toMatch(from);
  await writeFile(golden, text.replace(from, to));
  const { difference } = Object(await verifyParley(capture));
  return [difference.update?.number, ...[...difference.state, ...difference.end].map(Object.values)];
}

const ITEM = 'display.messages[0].items[0]';
const STATUS = '{"at":0,"status":';
const STATUSES = ['connection.status at 0 ms', 'disconnected', 'disconnected', 'connected'];
const anyHash = expect.stringMatching(/^sha256:/);

test.each([
  ['"counts.applied":4', '"counts.ignored":1', [4, ['counts.applied', 3, 3, 4], ['counts.ignored', 0, 1, 0]]],
  [`${ITEM}":"first text"`, `${ITEM}":"other"`, [2, [ITEM, 'none text', 'other', 'first text']]],
  [`${STATUS}"connected"`, `${STATUS}"disconnected"`, [undefined, STATUSES]],
  [/sha256:\w/, 'sha256:_', [undefined, ['hash', anyHash, anyHash]]],
])('names the path where a golden has not %s but %s, over time', async (from, to, places) => {
  expect(await placesWith(from, to)).toEqual(places);
});

const applyText: ReplayCode['applyUpdate'] = (conversation, update) => {
  if (update.kind === 'text') throw new RangeError('secret');
  return applyUpdate(conversation, update);
};

test('has the stack of an error that the code throws, in the sources and without the tool’s own functions', async () => {
  const { capture } = await withGolden();
  const throwing = { ...appCode, applyUpdate: applyText };
  const place = /^(?:at )?applyText \(tools\/replay\/verify\/verifyCapture\.test\.ts:\d+:\d+\)$/;
  const thrown = { name: 'RangeError', stack: [expect.stringMatching(place)] };
  const { difference } = Object(await verifyParley(capture, { code: throwing }));
  expect(difference).toMatchObject({ update: { number: 3 } });
  expect(difference.thrown).toEqual(thrown);
  const ofBase = Object(await verifyParley(capture, { base: throwing })).difference;
  expect(ofBase).toMatchObject({ update: { number: 3 }, thrown: { ...thrown, isOfBase: true } });
});

/** A session with an open window, which ends. */
const SESSION: readonly CaptureRecord[] = [
  actionRecord(windowOpened(1), 0),
  { t: 1, type: 'launch' },
  { t: 2, type: 'open' },
  recv(3, { person: 'Ada', messages: [], words: ['stop'] }),
  recv(4, message('a')),
  actionRecord({ type: 'connection/confirmed' }, 300),
  actionRecord(sessionEnded(), 500),
];

/** Code whose slices that follow from actions stay as they are at the end of a session. */
const withoutEnd: ReplayCode = {
  ...appCode,
  reduceActs: (state, action) => reduceActs(state, sessionEnded.match(action) ? { type: '' } : action),
};

test('names the paths that differ only after the end of the session, with a signature of their own', async () => {
  const { capture } = await withGolden(SESSION);
  const result = await verifyParley(capture, { code: withoutEnd });
  const ended = [
    { path: 'connection.status', expected: 'disconnected', got: 'connected' },
    { path: 'wasConnected', expected: false, got: true },
    { path: 'attention.unread', expected: 0, got: 1 },
    { path: 'title', expected: 'Parley', got: '(1) Parley' },
  ];
  expect(result).toMatchObject({ outcome: 'differs', difference: { state: [], end: [], ended } });
  const record = recordOf(result);
  const paths = 'attention.unread, connection.status, title, wasConnected';
  expect(record.signature).toBe(`differs: after the session's end: ${paths}`);
  expect(resultLines(withoutValues(record), unpainted)).toEqual([
    `differs  ${capture}`,
    '  all updates are the same',
    '  after the end of the session',
    ...ended.map(({ path }) => `    ${path}`),
  ]);
});

const parley = { ...parleyAdapter(), reports: parleyReports() };

/** Returns a reducer's fault: at an action of a type, it changes the state before it. */
const mutating =
  (at: string, mutate: (state: ReplayState) => unknown) =>
  (state: ReplayState, next: ReplayState, type: string) => {
    if (type === at) mutate(state);
    return next;
  };

const grow = ({ queue }: ReplayState) => Object(queue.waiting.front[0]).bytes++;
const startAudio = ({ audio }: ReplayState) => Object.assign(audio, { isOn: true });
const countMore = ({ counts }: ReplayState) => Object.assign(counts, { applied: 9 });

const changeFrozen = () => Object.assign(Object.freeze([1]), [2]);

const loseSecond = (state: ReplayState, next: ReplayState, type: string) =>
  type === 'update/received' && next.queue.length === 2 ? state : next;

const MUTATED = 'state before connection/confirmed, before update 6, was mutated at state.audio.isOn';

test.each([
  ['mutates a state', mutating('connection/confirmed', startAudio), MUTATED],
  ['mutates what waits', mutating('update/received', grow), 'was mutated at queue.waiting.front[0].bytes'],
  ['mutates a state at a release', mutating('update/applied', countMore), 'before update 1 was mutated at'],
  ['mutates what is frozen', mutating('connection/confirmed', changeFrozen), 'an object outside the state'],
  ['loses an update', loseSecond, 'was lost: it is not at queue.waiting[1]'],
])('names what is wrong with an app that keeps its session itself and %s', async (_, faulty, problem) => {
  const own = parleyAdapter();
  const capture = await captureOf([...RECORDS, actionRecord({ type: 'connection/confirmed' }, 550)]);
  const reduce: typeof own.reduce = (state, action) => faulty(state, own.reduce(state, action), action.type);
  const result = await verifyApp(capture, { app: { ...own, reduce }, appBase: own });
  expect(result.outcome).toBe('differs');
  expect(resultLines(result, unpainted).join('\n')).toContain(problem);
});

test('refuses a reducer of Parley of which only one of two replays throws', async () => {
  const { capture } = await withGolden(RECORDS.slice(0, 1));
  const reduce: typeof parley.reduce = (state, action) => {
    if (action.type === 'update/applied' && Math.random() < 0.5) throw new RangeError('by chance');
    return parley.reduce(state, action);
  };
  const problem =
    'the reducer is not deterministic: two replays differ in an error that only one of them throws;';
  const recorded = recordTwice(capture, { adapter: { ...parley, reduce } });
  await expect(recorded).rejects.toThrow(`${capture}: ${problem}`);
});

async function counted(): Promise<string> {
  const frames = ['apples 2', 'pears 0', 'pears', 'apples 3'];
  const capture = await captureOf([
    { t: 0, type: 'open' },
    ...frames.map((data, i) => ({ t: i + 1, type: 'recv', data })),
    { t: 5, type: 'close', code: 1000, reason: 'done' },
  ]);
  expect(await verifyApp(capture, { app, update: true })).toMatchObject({ golden: 'new' });
  return capture;
}

test('writes a golden of an app, and finds no difference', async () => {
  const capture = await counted();
  const golden: unknown = JSON.parse(await readFile(goldenPath(capture), 'utf8'));
  const shown = 'apples: 2';
  expect(golden).toMatchObject({
    app: 'counter',
    connection: [{ status: 'disconnected' }, { status: 'connected' }, { closedBecause: '1000 done' }],
    acts: [{ at: 0 }, { at: 0, changes: { 'state.isOpen': true } }, { at: 5 }],
    rejected: [{ frame: 3, reason: 'no amount', where: 'pears.amount' }],
    steps: [
      { kind: 'apples', effect: 'applied', changes: { 'state.totals.apples': 2, 'display.text[0]': shown } },
      { kind: 'pears', effect: 'ignored', changes: { 'counts.ignored': 1 } },
      { kind: 'apples', changes: { 'counts.rejected["no amount"]': 1, 'state.totals.apples': 5 } },
    ],
  });
  expect(await verifyApp(capture, { app })).toMatchObject({ outcome: 'same', updates: 3 });
});

const having = (place: object): unknown => expect.arrayContaining([expect.objectContaining(place)]);
const inState = (path: string, values = {}) => ({ state: having({ path, ...values }) });
const atEnd = (path: string) => ({ state: [], end: having({ path }) });

/** Adapters with one fault each, and the first path that shows it. */
const FAULTS: readonly [string, Partial<CounterAdapter>, object][] = [
  ['reducer', { reduce: (state, [name]) => app.reduce(state, [name, 9]) }, inState('state.totals.apples')],
  ['display', { display: () => ({ text: ['none'] }) }, inState('display.text[0]')],
  ['decoder', { decode: () => ({ rejected: 'no' }) }, inState('update')],
  ['queue', { tick: (at) => at + 1 }, inState('update.tick', { expected: 1, got: 2 })],
  ['kind', { kind: () => 'other' }, inState('update.kind')],
  // An app without types can return it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ['kind that is no text', { kind: () => Number.NaN as never }, { update: { kind: 'NaN' } }],
  ['action reducer', { reduceAction: (state) => state }, atEnd('state.isOpen at 0 ms')],
  [
    'part of the display that never changes',
    { display: (state) => ({ ...Object(app.display?.(state)), title: 'Counter' }) },
    atEnd('display at 0 ms'),
  ],
];

test.each(FAULTS)('finds a change of the %s', async (_, fault, difference) => {
  const capture = await counted();
  const result = Object(await verifyApp(capture, { app: { ...app, ...fault } }));
  expect(result).toMatchObject({ outcome: 'differs', difference });
});

const freeze = (state: Counter) => Object.freeze({ ...state, totals: Object.freeze({ ...state.totals }) });

test('names the path that a reducer mutated, also when the app freezes its states', async () => {
  const capture = await counted();
  for (const prepare of [(state: Counter) => state, freeze]) {
    const initialState = prepare(structuredClone(app.initialState));
    const reduce: CounterAdapter['reduce'] = (state, update) => {
      if (update[0] === 'pears') Object.assign(state.totals, { apples: 9 });
      return prepare(app.reduce(state, update));
    };
    const result = await verifyApp(capture, { app: { ...app, initialState, reduce } });
    const mutated = { update: 2, path: 'state.totals.apples' };
    expect(result).toMatchObject({
      outcome: 'differs',
      difference: { mutated, thrown: { name: 'TypeError' } },
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
  const faulty = { ...app, reduce: withSet };
  const name = 'TypeError: state.seen.ids is a Set; a state is plain data (JSON)';
  const update = { number: 2, kind: 'pears' };
  const difference = { update, end: [{ path: 'error', got: name }], thrown: { name, stack: [] } };
  expect(await verifyApp(capture, { app: faulty })).toMatchObject({ outcome: 'differs', difference });
  const golden = await readFile(goldenPath(capture), 'utf8');
  const unusable = { outcome: 'unusable', problem: `${capture}: the replayed code threw ${name}` };
  expect(await verifyApp(capture, { app: faulty, update: true })).toMatchObject(unusable);
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
  const advice = 'it may read no clock and no random numbers';
  const where = `two replays differ in state.last.read after update 2; ${advice}`;
  const problem = `${capture}: the reducer is not deterministic: ${where}`;
  expect(result).toMatchObject({ outcome: 'unusable', problem });
  expect(await readFile(goldenPath(capture), 'utf8')).toBe(golden);
  expect([Math.random, performance.now, Date]).toEqual([random, now, date]);
});

test('refuses the golden of another app, and of Parley', async () => {
  const capture = await counted();
  for (const [other, result] of [
    ['Parley', await verifyParley(capture)],
    ['board', await verifyApp(capture, { app: { ...app, name: 'board' } })],
  ] as const) {
    const problem = `is a golden of counter, not of ${other}; give the adapter of counter with --app`;
    expect(result).toMatchObject({ outcome: 'unusable', problem: `${goldenPath(capture)}: ${problem}` });
  }
});
