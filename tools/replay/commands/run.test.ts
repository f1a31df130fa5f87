import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { defaultPreferences } from '#shared/store/sharedSlices.ts';
import { recv } from '#tests/builders/recv.ts';
import { captureOf, runTool } from '../testing/files.ts';

const WORDS = { category: 'text', text: 'hello\nyou', html: null, blob: null };
const PICTURE = { category: 'image', text: 'sea.png', html: null, blob: '' };
const SENDER = { id: '1', modifier: 'ai', context: 'Parley', avatar: '', seen: true };

const SESSION: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(12.4, { person: 'Ada Lovelace', messages: [] }),
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  recv(20, { ...SENDER, content: [WORDS, PICTURE] }),
  recv(20, { text: 'at sea' }),
  { t: 900, type: 'action', action: { type: 'connection/confirmed' } },
  { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  recv(901, {}),
];

async function run(...options: readonly string[]) {
  const path = await captureOf(SESSION);
  return { path, ...(await runTool('run', path, ...options)) };
}

const ALL = ['--json', '--hash', '--with', 'conversation,notifications,state'] as const;
const MESSAGES = [{ ...SENDER, content: [WORDS, { ...PICTURE, text: 'at sea' }] }];

const anyHash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

test('contract §7 run, json: prints one document with all parts, with its fields in the contract’s order', async () => {
  const { path, status, out, err } = await run(...ALL);
  expect([status, err]).toEqual([0, '']);
  const document: unknown = JSON.parse(out);
  expect(document).toEqual({
    capture: path,
    frames: { received: 5, sent: 1, rejected: 1 },
    updates: { applied: 4, ignored: 0 },
    virtualMs: 1000,
    wallMs: expect.any(Number),
    hash: anyHash,
    stateHash: anyHash,
    conversation: { person: 'Ada Lovelace', messages: MESSAGES },
    notifications: [{ title: 'Parley', body: 'at sea' }],
    state: {
      connection: { status: 'connected', closedBecause: null },
      counts: { received: 5, sent: 1, dropped: 0, applied: 4, ignored: 0, rejected: { notText: 1 } },
      appliedUpdates: 3,
      snapshotFields: {},
      words: [],
      wasConnected: true,
      backlog: { updates: 0 },
      audio: { isOn: false, isRecording: false, playing: null },
      attention: { isWatched: false, unread: 1 },
      title: '(1) Parley',
      arrivals: [200],
      preferences: { ...defaultPreferences, fromEnvironment: [] },
      windows: {},
      queue: { length: 0, bytes: 0, lastTick: 1000, waiting: [] },
    },
    version: 1,
  });
  expect(out).toBe(`${JSON.stringify(document)}\n`);
  const parts = 'conversation,notifications,state,version';
  const fields = `capture,frames,updates,virtualMs,wallMs,hash,stateHash,${parts}`;
  expect(Object.keys(document ?? {}).join()).toBe(fields);
});

test('contract §7 run, hash, engine: gives the same document with each engine and at each speed, except the duration', async () => {
  const store = ['--engine', 'store'];
  const slow = ['--speed', '1000'];
  const documents: unknown[] = [];
  for (const given of [[], store, slow, [...slow, ...store]])
    documents.push(Object.assign(JSON.parse((await run(...ALL, ...given)).out), { capture: '', wallMs: 0 }));
  for (const document of documents) expect(document).toEqual(documents[0]);
});

test.each([
  [['--until', '2'], 2, 200],
  [['--at', '250'], 2, 200],
  [['--at', '200'], 2, 200],
  [['--at', '199.999'], 1, 100],
  [['--until', '0'], 0, 0],
])('%j folds %i updates up to %i ms', async (options, applied, virtualMs) => {
  for (const engine of ['fold', 'store']) {
    const { out } = await run('--json', '--engine', engine, ...options);
    expect(JSON.parse(out)).toMatchObject({ updates: { applied, ignored: 0 }, virtualMs });
  }
});

test('prints a summary for people, with the conversation as a transcript', async () => {
  const { out } = await run('--with', 'conversation,notifications');
  expect(out).toMatch(/frames +5 received \(1 rejected: 1 not text\), 1 sent/);
  expect(out).toMatch(/updates +4 applied, 0 ignored/);
  expect(out).toMatch(/session +0:01\.000/);
  const lines = ['  Parley (ai)', '    hello', '    you', '    [image at sea]\n'].join('\n');
  expect(out).toContain(`Conversation of Ada Lovelace, 1 message\n\n${lines}`);
  expect(out).toContain('Notifications\n  Parley: at sea\n');
});

test('prints a line for each update as it happens at a speed below max, then the summary', async () => {
  const { path, out } = await run('--speed', '1000');
  expect(out.slice(0, out.indexOf(path)).split('\n')).toEqual([
    ' 0:00.100  snapshot      Ada Lovelace, 0 messages',
    ' 0:00.200  message       Parley: hello you [image sea.png]',
    ' 0:00.300  text          at sea',
    ' 0:01.000  notification  Parley: at sea',
    '',
  ]);
});

test.each([
  [['--speed', '0'], '--speed takes max, 1, 10 or another factor\n'],
  [['--until', '1.5'], '--until takes a whole number from 0\n'],
  [['--with', 'conversation,weather'], '--with takes conversation, notifications, state, display\n'],
])('refuses %j in one line, with status 2', async (options, err) => {
  expect(await run(...options)).toMatchObject({ status: 2, out: '', err });
});

test('ends with 2 and names --app when each update of another program’s recording is ignored', async () => {
  const capture = 'examples/task-board/captures/one-person.parley.jsonl';
  const { status, out, err } = await runTool('run', capture, '--json');
  const problem = 'none of its updates has an effect in Parley, and parley-replay 0.2.0 recorded it';
  const advice = 'if they are another app’s, name its adapter with --app';
  expect({ status, err }).toEqual({ status: 2, err: `${capture}: ${problem}; ${advice}\n` });
  expect(JSON.parse(out)).toMatchObject({ updates: { applied: 0, ignored: 10 } });
});
