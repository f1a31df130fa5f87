import { expect, test } from 'vitest';
import { reduceActs, actionRecord } from '#shared/capture/recordedActions.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { textBoxOpened } from '#shared/actions/windowActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { parseGolden } from '../golden/golden.ts';
import { readGoldenText } from '../golden/goldenFile.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { resultLines, unpainted } from './resultLines.ts';
import { recordOf, withoutValues } from './resultRecord.ts';
import { verifyParley } from './testing/verifyParley.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';

const END = actionRecord(sessionEnded(), 500);

/** A session with an open window, which ends. */
const SESSION: readonly CaptureRecord[] = [
  actionRecord(windowOpened(1), 0),
  { t: 1, type: 'launch' },
  { t: 2, type: 'open' },
  recv(3, { person: 'Ada', messages: [], words: ['stop'] }),
  recv(4, message('a')),
  actionRecord({ type: 'connection/confirmed' }, 300),
  END,
];

async function withGolden(records: readonly CaptureRecord[] = SESSION) {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), records);
  expect(await verifyParley(capture, { update: true })).toMatchObject({ outcome: 'written' });
  const golden = at('x.golden.json');
  return { capture, golden: parseGolden(golden, await readGoldenText(golden)) };
}

/** Code whose slices that follow from actions stay as they are at the end of a session. */
const withoutEnd: ReplayCode = {
  ...appCode,
  reduceActs: (state, action) => reduceActs(state, sessionEnded.match(action) ? { type: '' } : action),
};

test('a golden has the whole state after the end of the session, and its result is that before it', async () => {
  const { golden } = await withGolden();
  expect(golden).toMatchObject({ unread: 1, words: ['stop'], counts: { received: 2, applied: 2 } });
  expect(golden.connection.at(-1)).toMatchObject({ status: 'connected' });
  expect(golden.ended).toMatchObject({
    person: null,
    messages: [],
    arrivals: [],
    connection: { status: 'disconnected', closedBecause: null },
    wasConnected: false,
    attention: { unread: 0 },
    title: 'Parley',
    words: [],
    snapshotFields: {},
    counts: { received: 0, applied: 0 },
    queue: { length: 0, lastTick: 0, waiting: [] },
    windows: { 1: { isVisible: false } },
  });
});

test('a golden of a session without an end has no state after it', async () => {
  const { golden } = await withGolden(SESSION.slice(0, -1));
  expect(golden).not.toHaveProperty('ended');
});

test('what follows the end of the session is in the state after it, and nowhere else', async () => {
  const draft = actionRecord(ofWindow(textBoxOpened({ text: 'later' }), 1), 600);
  const [alone, followed] = [
    await withGolden(),
    await withGolden([...SESSION, draft, recv(700, message('b'))]),
  ];
  const { ended: endedAlone, ...resultAlone } = alone.golden;
  const { ended, ...result } = followed.golden;
  expect(result).toEqual(resultAlone);
  expect(ended).toMatchObject({ windows: { 1: { own: { textBox: 'later' } } }, counts: { received: 1 } });
  expect(endedAlone).toMatchObject({ windows: { 1: { own: { textBox: null } } } });
});

test('names the paths that differ only after the end of the session, with a signature of their own', async () => {
  const { capture } = await withGolden();
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

test('compares the state after the end with that of another revision', async () => {
  const { capture } = await withGolden();
  expect(await verifyParley(capture, { base: withoutEnd })).toMatchObject({
    outcome: 'differs',
    difference: {
      ended: [{ path: 'connection.status', expected: 'connected', got: 'disconnected' }, {}, {}, {}],
    },
  });
});

test('reports the code that throws at the end of the session', async () => {
  const { capture } = await withGolden();
  const throwing: ReplayCode = {
    ...appCode,
    reduceActs(state, action) {
      if (sessionEnded.match(action)) throw new Error('no end');
      return reduceActs(state, action);
    },
  };
  expect(await verifyParley(capture, { code: throwing })).toMatchObject({
    outcome: 'differs',
    difference: { end: [{ path: 'error', got: 'Error: no end' }], thrown: { name: 'Error' } },
  });
});
