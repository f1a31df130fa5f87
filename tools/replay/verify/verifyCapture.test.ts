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
import { emptyFifo } from '#shared/fifo.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { ReplayState } from '../parley/parley.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { captureIn, captureOf, writeCapture } from '../testing/files.ts';
import { reportMutations } from './findCause.ts';
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
  const { at, path: capture } = await captureIn(records);
  await verifyParley(capture, { update: true });
  return { at, capture, golden: at('x.golden.json') };
}

/** The app's code with texts in capitals. */
const loud: ReplayCode = {
  ...appCode,
  applyUpdate: (conversation, update) =>
    applyUpdate(
      conversation,
      update.kind === 'text'
        ? { kind: 'text', frame: { text: update.frame.text?.toUpperCase() ?? null } }
        : update,
    ),
};

test('names the first update with before, expected and got when the fold changed, also when the difference is gone at the end', async () => {
  const { capture } = await withGolden([...RECORDS, recv(6, { person: 'Ada', messages: [] })]);
  expect(await verifyParley(capture)).toMatchObject({ capture, outcome: 'same', updates: 6, warnings: [] });
  expect(await verifyParley(capture, { code: loud })).toMatchObject({
    outcome: 'differs',
    difference: {
      update: { number: 3, kind: 'text', effect: 'applied', tick: 300 },
      state: [{ path: 'messages[0].content[1].text', before: 'hello', expected: 'Hello', got: 'HELLO' }],
    },
  });
});

test('reports a missing and an additional update', async () => {
  const records = [...RECORDS, recv(900, { text: 'later' })];
  const { capture } = await withGolden(records);
  await writeCapture(capture, RECORDS);
  expect(await verifyParley(capture)).toMatchObject({
    difference: { update: { number: 6 }, state: [{ path: 'update', expected: 'text, applied' }] },
  });
  await writeCapture(capture, [...records, recv(1900, { context: 'more' })]);
  expect(await verifyParley(capture)).toMatchObject({
    difference: { update: { number: 7 }, state: [{ path: 'update', got: 'context, applied' }] },
  });
});

test('reports the hash when only the hash differs', async () => {
  const { capture, golden } = await withGolden();
  const text = await readFile(golden, 'utf8');
  await writeFile(golden, text.replace(/sha256:\w/, 'sha256:_'));
  const { difference } = Object(await verifyParley(capture));
  expect(difference.state).toEqual([]);
  expect(difference.end).toMatchObject([{ path: 'hash' }]);
});

/** Verifies a capture whose golden has one other value; returns the number of the first update that differs, and the places. */
async function placesWith(from: string, to: string) {
  const confirmed = { t: 0, type: 'action', action: { type: 'connection/confirmed' } };
  const { capture, golden } = await withGolden([confirmed, ...RECORDS]);
  const text = await readFile(golden, 'utf8');
  expect(text).toContain(from);
  await writeFile(golden, text.replace(from, to));
  const { difference } = Object(await verifyParley(capture));
  return [difference.update?.number, ...[...difference.state, ...difference.end].map(Object.values)];
}

const ITEM = '"display.messages[0].items[0]":';

test.each([
  ['"counts.applied":4', '"counts.ignored":1', [4, ['counts.applied', 3, 3, 4], ['counts.ignored', 0, 1, 0]]],
  [
    `${ITEM}"first text"`,
    `${ITEM}"middle text"`,
    [2, ['display.messages[0].items[0]', 'none text', 'middle text', 'first text']],
  ],
  [
    '{"at":0,"status":"connected"',
    '{"at":0,"status":"disconnected"',
    [undefined, ['connection.status at 0 ms', 'disconnected', 'disconnected', 'connected']],
  ],
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
  const { difference } = Object(await verifyParley(capture, { code: throwing }));
  expect(difference.update).toMatchObject({ number: 3 });
  expect(difference.thrown).toEqual({
    name: 'RangeError',
    stack: [expect.stringMatching(/applyText \(tools\/replay\/verify\/verifyCapture\.test\.ts:\d+:\d+\)$/)],
  });
  expect(JSON.stringify(difference.thrown)).not.toContain('secret');
  expect(await verifyParley(capture, { base: throwing })).toMatchObject({
    outcome: 'differs',
    difference: { update: { number: 3 }, thrown: { ...difference.thrown, isOfBase: true } },
  });
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
  expect(result).toMatchObject({
    outcome: 'differs',
    difference: {
      state: [],
      end: [],
      ended: [
        { path: 'connection.status', expected: 'disconnected', got: 'connected' },
        { path: 'wasConnected', expected: false, got: true },
        { path: 'attention.unread', expected: 0, got: 1 },
        { path: 'title', expected: 'Parley', got: '(1) Parley' },
      ],
    },
  });
  const record = recordOf(result);
  expect(record.signature).toBe(
    "differs: after the session's end: attention.unread, connection.status, title, wasConnected",
  );
  expect(resultLines(withoutValues(record), unpainted)).toEqual([
    `differs  ${capture}`,
    '  all updates are the same',
    '  after the end of the session',
    ...['connection.status', 'wasConnected', 'attention.unread', 'title'].map((path) => `    ${path}`),
  ]);
});

const parley = { ...parleyAdapter(), reports: parleyReports() };

/** Replays a session with a reducer that changes its state at some actions; returns the first mutation that is reported. */
function mutationOf(type: string, mutate: (state: ReplayState) => void): string | undefined {
  const found: string[] = [];
  const mutating: typeof parley = {
    ...parley,
    reduce(state, action) {
      if (action.type === type) mutate(state);
      return parley.reduce(state, action);
    },
  };
  const engine = createEngine(
    reportMutations(mutating, (action, path) => found.push(`${action ?? 'an update'} ${path}`)),
  );
  const replay = () => {
    const audio = { t: 350, type: 'action', action: { type: 'audio/started' } };
    for (const record of [...RECORDS, audio]) engine.take(record);
    engine.finish();
  };
  expect(replay).toThrow(TypeError);
  return found[0];
}

test.each<[string, (state: ReplayState) => void, string]>([
  ['update/applied', (state) => Object.assign(state.counts, { applied: 9 }), 'an update counts.applied'],
  [
    'update/received',
    ({ queue }) => Object(queue.waiting.front[0]).bytes++,
    'update/received queue.waiting[0].bytes',
  ],
  ['audio/started', (state) => Object.assign(state.audio, { isOn: true }), 'audio/started audio.isOn'],
  ['update/received', () => Object.assign(emptyFifo().front, { 0: 1 }), 'update/received '],
])('names the path of a mutated state: at %s', (type, mutate, named) => {
  expect(mutationOf(type, mutate)).toBe(named);
});

test.each<[string, (state: ReplayState, next: ReplayState, type: string) => ReplayState, string]>([
  [
    'mutates a state',
    (state, next, type) => {
      if (type === 'connection/confirmed') Object.assign(state.audio, { isOn: true });
      return next;
    },
    'state before connection/confirmed, before update 6, was mutated at state.audio.isOn',
  ],
  [
    'loses an update',
    (state, next, type) => (type === 'update/received' && next.queue.length === 2 ? state : next),
    'was lost: it is not at queue.waiting[1]',
  ],
])('names what is wrong with an app that keeps its session itself and %s', async (_, faulty, problem) => {
  const app = parleyAdapter();
  const capture = await captureOf([...RECORDS, actionRecord({ type: 'connection/confirmed' }, 550)]);
  const reduce: typeof app.reduce = (state, action) => faulty(state, app.reduce(state, action), action.type);
  const result = await verifyApp(capture, { app: { ...app, reduce }, appBase: app });
  expect(result.outcome).toBe('differs');
  expect(resultLines(result, unpainted).join('\n')).toContain(problem);
});

test('refuses a reducer of Parley of which only one of two replays throws', async () => {
  const { capture } = await withGolden(RECORDS.slice(0, 1));
  const reduce: typeof parley.reduce = (state, action) => {
    if (action.type === 'update/applied' && Math.random() < 0.5) throw new RangeError('by chance');
    return parley.reduce(state, action);
  };
  await expect(recordTwice(capture, { adapter: { ...parley, reduce } })).rejects.toThrow(
    `${capture}: the reducer is not deterministic: two replays differ in an error that only one of them throws;`,
  );
});
