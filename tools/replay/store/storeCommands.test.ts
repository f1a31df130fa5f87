import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goldenPath } from '../golden/goldenFile.ts';
import { rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import { verifyApp } from '../verify/testing/verifyParley.ts';
import { CHAT_RECORDS, globalTeamChat, teamChat } from './testing/teamChat.ts';

const ADAPTER = join(import.meta.dirname, 'testing/teamChatAdapter.ts');

const captured = async (records: Parameters<typeof writeCapture>[1] = CHAT_RECORDS) =>
  writeCapture((await temporaryFolder())('x.parley.jsonl'), records);

test('writes a golden with the step of each action, and finds no difference', async () => {
  const capture = await captured();
  expect(await verifyApp(capture, { app: teamChat(), update: true })).toMatchObject({ golden: 'new' });
  const golden: unknown = JSON.parse(await readFile(goldenPath(capture), 'utf8'));
  expect(golden).toMatchObject({
    app: 'team-chat',
    steps: expect.arrayContaining([
      expect.objectContaining({
        tick: 160,
        kind: 'chat/readBatch',
        changes: { 'counts.received': 4, 'counts.applied': 5, 'state.read': 2 },
      }),
    ]),
  });
  expect(await verifyApp(capture, { app: teamChat() })).toMatchObject({ outcome: 'same', updates: 9 });
  expect(await verifyApp(capture, { app: teamChat(), appBase: teamChat() })).toMatchObject({
    outcome: 'same',
  });
});

test('names the step of a change, with its paths', async () => {
  const capture = await captured();
  await verifyApp(capture, { app: teamChat(), update: true });
  const faulty = teamChat({ countsTwice: true });
  for (const others of [{}, { appBase: teamChat() }])
    expect(await verifyApp(capture, { app: faulty, ...others })).toMatchObject({
      outcome: 'differs',
      difference: {
        update: { number: 6, kind: 'chat/readBatch' },
        state: [{ path: 'state.read', before: 0, expected: 2, got: 4 }],
      },
    });
});

test('reports the exception of a reducer at its step', async () => {
  const capture = await captured();
  await verifyApp(capture, { app: teamChat(), update: true });
  expect(await verifyApp(capture, { app: teamChat({ throwsAt: 'again' }) })).toMatchObject({
    outcome: 'differs',
    difference: { update: { number: 8 }, thrown: { name: 'TypeError' } },
  });
});

test('reports a change of the store’s state', async () => {
  const capture = await captured();
  await verifyApp(capture, { app: teamChat(), update: true });
  expect(await verifyApp(capture, { app: teamChat({ mutates: true }) })).toMatchObject({
    outcome: 'differs',
    difference: { mutated: { update: 4, path: 'read' }, thrown: { name: 'TypeError' } },
  });
});

test('refuses a golden of an app that reads the clock of the machine, and accepts it with `globals`', async () => {
  const capture = await captured();
  expect(await verifyApp(capture, { app: teamChat({ usesDate: true }), update: true })).toMatchObject({
    outcome: 'unusable',
    problem: expect.stringContaining('two replays differ in state.posts[0].seenAt after update 3'),
  });
  const app = globalTeamChat(true);
  expect(await verifyApp(capture, { app, update: true })).toMatchObject({ golden: 'new' });
  expect(await verifyApp(capture, { app })).toMatchObject({ outcome: 'same' });
});

test('run shows the state of a store after a number of steps', async () => {
  const capture = await captured();
  const whole = await runTool(
    'run',
    capture,
    '--app',
    ADAPTER,
    '--json',
    '--with',
    'state,display',
    '--hash',
  );
  expect(whole).toMatchObject({ status: 0, err: '' });
  expect(JSON.parse(whole.out)).toMatchObject({
    app: 'team-chat',
    updates: { applied: 8, ignored: 1 },
    virtualMs: 410,
    state: { read: 3, names: { u1: 'Ada' } },
    display: ['hello', 'again'],
  });
  const { out } = await runTool(
    'run',
    capture,
    '--app',
    ADAPTER,
    '--json',
    '--until',
    '6',
    '--with',
    'state',
  );
  expect(JSON.parse(out)).toMatchObject({ state: { read: 2 } });
  const paced = await runTool('run', capture, '--app', ADAPTER, '--speed', '1000000');
  expect(paced.out).toContain('posted {"id":"again"');
});

/** The names of the commands that replay a store, and what they print of the session. */
const COMMANDS: readonly (readonly [string[], unknown])[] = [
  [['stats', '--json'], { updates: { applied: 8, ignored: 1 } }],
  [['diff', '--from', '5', '--to', '6', '--json'], { state: [{ path: 'state.read', before: 0, after: 2 }] }],
  [['export', '--to', 'redux-devtools', '-o', '-'], { nextActionId: 11 }],
];

test.each(COMMANDS)('%j replays a store', async ([name = '', ...options], expected) => {
  const { status, out, err } = await runTool(name, await captured(), '--app', ADAPTER, ...options);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject(Object(expected));
});

test('names a request that the capture does not answer in a warning', async () => {
  const capture = await captured(CHAT_RECORDS.filter(({ type }) => type !== 'http'));
  const { status, err } = await runTool('run', capture, '--app', ADAPTER);
  expect({ status, err }).toEqual({
    status: 0,
    err: `warning: ${capture}: it has no answer for GET /api/users/u1\n`,
  });
});

test('finds the records on which a store throws; those of one request stay together', async () => {
  const capture = await captured();
  const { status, out } = await runTool(
    'minimize',
    capture,
    '--app',
    join(import.meta.dirname, 'testing/throwingAdapter.ts'),
    '--fails',
    'verify',
    '-o',
    '-',
  );
  expect(status).toBe(0);
  expect(rowsOf(out).slice(1)).toEqual([CHAT_RECORDS[2], CHAT_RECORDS[3], CHAT_RECORDS[5]]);
});

test('a store replays a redacted capture with its requests', async () => {
  const capture = await captured();
  const output = `${capture}.redacted.parley.jsonl`;
  expect(await runTool('redact', capture, '--app', ADAPTER, '-o', output)).toMatchObject({ status: 0 });
  const { out, err } = await runTool('run', output, '--app', ADAPTER, '--json', '--with', 'state');
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({
    updates: { applied: 8, ignored: 1 },
    state: { names: { 'text-0': 'person-0' }, read: 3 },
  });
});

test('reads no store from stdin', async () => {
  expect(await runTool('run', '-', '--app', ADAPTER)).toMatchObject({
    status: 2,
    err: expect.stringContaining('- (stdin) is read once'),
  });
});

test('what a module of the app keeps is not that of another replay', async () => {
  const at = await temporaryFolder();
  const app = at('adapter.mjs');
  await writeFile(
    app,
    `let replays = 0;
    export const adapter = {
      name: 'counting',
      createStore: () => ({ getState: () => ({ replays }), subscribe: () => () => undefined }),
      onFrame: () => void replays++,
    };`,
  );
  for (const name of ['a', 'b'])
    await writeCapture(at(`${name}.parley.jsonl`), [{ t: 1, type: 'recv', data: name }]);
  expect(await runTool('verify', at(''), '--app', app, '--update')).toMatchObject({ status: 0 });
  const { status, out } = await runTool('verify', at(''), '--app', app);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('2 captures: 2 same') });
});
