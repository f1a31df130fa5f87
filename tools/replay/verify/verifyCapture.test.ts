import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { item, message, recv } from '#tests/builders/updateOf.ts';
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
import { type ResultRecord, recordOf, withoutValues } from './resultRecord.ts';
import { recordTwice } from './verifyCapture.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hello')),
  recv(2, { text: 'Hello' }),
  recv(3, { ring: true }),
  recv(4, { text: 'Hello again' }),
  { t: 5, type: 'recv', data: 'not JSON' },
];

/** Describes a result as a section of a golden, without its folder and the lines of sources. */
function section(title: string, result: ResultRecord): string {
  const { outcome, signature, updates, golden, warnings } = recordOf(result);
  const end = JSON.stringify({ outcome, updates, golden, signature, warnings });
  const text = [title, ...resultLines(result, unpainted), end, '\n'].join('\n');
  return text.replaceAll(`${dirname(result.capture)}/`, '').replaceAll(/:\d+:\d+|sha256:\w+/g, '…');
}

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

const applyText: ReplayCode['applyUpdate'] = (conversation, update) => {
  if (update.kind === 'text') throw new RangeError('secret');
  return applyUpdate(conversation, update);
};

const throwing = { ...appCode, applyUpdate: applyText };

/** Code whose slices that follow from actions stay as they are at the end of a session. */
const withoutEnd: ReplayCode = {
  ...appCode,
  reduceActs: (state, action) => reduceActs(state, sessionEnded.match(action) ? { type: '' } : action),
};

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

test('names the first update with before, expected and got when the code changed, also when the difference is gone at the end, and the paths that differ only after the end of the session', async () => {
  const { capture } = await withGolden([...RECORDS, recv(6, { person: 'Ada', messages: [] })]);
  const ended = await withGolden(SESSION);
  const end = await verifyParley(ended.capture, { code: withoutEnd });
  const sections = [
    section('the same code', await verifyParley(capture)),
    section('another fold', await verifyParley(capture, { code: loud })),
    section('code that throws', await verifyParley(capture, { code: throwing })),
    section('another revision that throws', await verifyParley(capture, { base: throwing })),
    section('another end of the session', end),
    section('the same without values', withoutValues(end)),
  ];
  await expect(sections.join('')).toMatchFileSnapshot('testing/changed-code.txt');
});

const STATUS = '{"at":0,"status":';

test('names the paths where a golden has another value, over time, and a missing and an additional update', async () => {
  const confirmed = actionRecord({ type: 'connection/confirmed' }, 0);
  const records = [confirmed, ...RECORDS, recv(900, { text: 'later' })];
  const { capture, golden } = await withGolden(records);
  const text = await readFile(golden, 'utf8');
  let sections = '';
  for (const [from, to] of [
    ['"counts.applied":4', '"counts.ignored":1'],
    ['display.messages[0].items[0]":"first text"', 'display.messages[0].items[0]":"other"'],
    [`${STATUS}"connected"`, `${STATUS}"disconnected"`],
    [/sha256:\w/, 'sha256:_'],
  ] as const) {
    expect(text).toMatch(from);
    await writeFile(golden, text.replace(from, to));
    sections += section(`${to} instead of ${from}`, await verifyParley(capture));
  }
  await writeFile(golden, text);
  await writeCapture(capture, records.slice(0, -1));
  sections += section('an update less', await verifyParley(capture));
  await writeCapture(capture, [...records, recv(1900, { context: 'more' })]);
  sections += section('an update more', await verifyParley(capture));
  await expect(sections).toMatchFileSnapshot('testing/changed-golden.txt');
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

test('names what is wrong with an app that keeps its session itself, and mutates a state or loses an update', async () => {
  const own = parleyAdapter();
  const capture = await captureOf([...RECORDS, actionRecord({ type: 'connection/confirmed' }, 550)]);
  let sections = '';
  for (const [title, faulty] of [
    ['mutates a state', mutating('connection/confirmed', startAudio)],
    ['mutates what waits', mutating('update/received', grow)],
    ['mutates a state at a release', mutating('update/applied', countMore)],
    ['mutates what is frozen', mutating('connection/confirmed', changeFrozen)],
    ['loses an update', loseSecond],
  ] as const) {
    const reduce: typeof own.reduce = (state, action) =>
      faulty(state, own.reduce(state, action), action.type);
    sections += section(title, await verifyApp(capture, { app: { ...own, reduce }, appBase: own }));
  }
  await expect(sections).toMatchFileSnapshot('testing/faulty-sessions.txt');
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

const freeze = (state: Counter) => Object.freeze({ ...state, totals: Object.freeze({ ...state.totals }) });

/** Returns an adapter whose reducer mutates a total at the second update. `prepare` prepares each state. */
function mutatingApp(prepare: (state: Counter) => Counter): Partial<CounterAdapter> {
  const initialState = prepare(structuredClone(app.initialState));
  const reduce: CounterAdapter['reduce'] = (state, update) => {
    if (update[0] === 'pears') Object.assign(state.totals, { apples: 9 });
    return prepare(app.reduce(state, update));
  };
  return { initialState, reduce };
}

/** Has a set after the second update, and none at the end. */
const withSet: CounterAdapter['reduce'] = (state, update) => {
  const { seen: _seen, ...next } = Object(app.reduce(state, update));
  return update[0] === 'pears' ? { ...next, seen: { ids: new Set([1]) } } : next;
};

/** Adapters with one fault each. */
const FAULTS: readonly [string, Partial<CounterAdapter>][] = [
  ['another reducer', { reduce: (state, [name]) => app.reduce(state, [name, 9]) }],
  ['another display', { display: () => ({ text: ['none'] }) }],
  ['another decoder', { decode: () => ({ rejected: 'no' }) }],
  ['another queue', { tick: (at) => at + 1 }],
  ['another kind', { kind: () => 'other' }],
  // An app without types can return it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ['a kind that is no text', { kind: () => Number.NaN as never }],
  ['another reducer of actions', { reduceAction: (state) => state }],
  [
    'a part of the display that never changes',
    { display: (state) => ({ ...Object(app.display?.(state)), title: 'Counter' }) },
  ],
  ['a reducer that mutates a state', mutatingApp((state) => state)],
  ['a reducer that mutates a frozen state', mutatingApp(freeze)],
  ['a state that is not plain data, and is at the end', { reduce: withSet }],
  ['the golden of another app', { name: 'board' }],
];

test('names what changed with the adapter of an app; refuses the golden of another app, and of Parley', async () => {
  const capture = await counted();
  let sections = '';
  for (const [title, fault] of FAULTS)
    sections += section(title, await verifyApp(capture, { app: { ...app, ...fault } }));
  sections += section('the golden of an app for Parley', await verifyParley(capture));
  await expect(sections).toMatchFileSnapshot('testing/faulty-adapters.txt');
});

/** Returns a reducer whose state has what it reads at the second update. */
const reading =
  (read: () => unknown): CounterAdapter['reduce'] =>
  (state, update) =>
    update[0] === 'pears' ? Object({ ...state, last: { read: read() } }) : app.reduce(state, update);

const ADVICE = 'it may read no clock and no random numbers';
const UNSTABLE = `the reducer is not deterministic: two replays differ in state.last.read after update 2; ${ADVICE}`;
const NOT_PLAIN = 'the replayed code threw TypeError: state.seen.ids is a Set; a state is plain data (JSON)';

test.each([
  ['reads Date.now()', reading(() => Date.now()), UNSTABLE],
  ['reads performance.now()', reading(() => performance.now()), UNSTABLE],
  ['reads Math.random()', reading(() => Math.random() < 0.5), UNSTABLE],
  ['returns a set', withSet, NOT_PLAIN],
])('writes no golden of a reducer that %s, and names the path', async (_, reduce, problem) => {
  const capture = await counted();
  const golden = await readFile(goldenPath(capture), 'utf8');
  const [random, now, date] = [Math.random, performance.now, Date];
  const result = await verifyApp(capture, { app: { ...app, reduce }, update: true });
  expect(result).toMatchObject({ outcome: 'unusable', problem: `${capture}: ${problem}` });
  expect(await readFile(goldenPath(capture), 'utf8')).toBe(golden);
  expect([Math.random, performance.now, Date]).toEqual([random, now, date]);
});
