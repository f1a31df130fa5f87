import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  captureIn,
  captureOf,
  outOf,
  rowsOf,
  runTool,
  temporaryFolder,
  writeCapture,
} from '../testing/files.ts';
import { verifyApp } from '../verify/testing/verifyParley.ts';
import { CHAT_RECORDS, type TeamChatFault, globalTeamChat, teamChat } from './testing/teamChat.ts';

const CHAT = join(import.meta.dirname, 'testing/teamChat.ts');
const APP = ['--app', join(import.meta.dirname, 'testing/teamChatAdapter.ts')];

const BATCH = { number: 6, kind: 'chat/readBatch' };
const READ_TWICE = { path: 'state.read', before: 0, expected: 2, got: 4 };

test.each<[string, TeamChatFault, object]>([
  ['another value', { countsTwice: true }, { update: BATCH, state: [READ_TWICE] }],
  ['an exception', { throwsAt: 'again' }, { update: { number: 8 }, thrown: { name: 'TypeError' } }],
  ['a mutation', { mutates: true }, { mutated: { update: 4, path: 'read' }, thrown: { name: 'TypeError' } }],
])(
  'finds no difference of a store from its golden, and names the step of %s',
  async (_, fault, difference) => {
    const capture = await captureOf(CHAT_RECORDS);
    expect(await verifyApp(capture, { app: teamChat(), update: true })).toMatchObject({ golden: 'new' });
    for (const others of [{}, { appBase: teamChat() }]) {
      const same = await verifyApp(capture, { app: teamChat(), ...others });
      expect(same).toMatchObject({ outcome: 'same', updates: 9 });
      const result = await verifyApp(capture, { app: teamChat(fault), ...others });
      expect(result).toMatchObject({ outcome: 'differs', difference });
    }
  },
);

test('refuses a golden of an app that reads the clock of the machine, and accepts it with `globals`', async () => {
  const capture = await captureOf(CHAT_RECORDS);
  const problem = expect.stringContaining('two replays differ in state.posts[0].seenAt after update 3');
  const refused = await verifyApp(capture, { app: teamChat({ usesDate: true }), update: true });
  expect(refused).toMatchObject({ outcome: 'unusable', problem });
  const app = globalTeamChat(true);
  expect(await verifyApp(capture, { app, update: true })).toMatchObject({ golden: 'new' });
  expect(await verifyApp(capture, { app })).toMatchObject({ outcome: 'same' });
});

const STATE = { read: 3, names: { u1: 'Ada' } };
const UPDATES = { applied: 8, ignored: 1 };
const SHOWN = { updates: UPDATES, virtualMs: 410, state: STATE, display: ['hello', 'again'] };

/** The commands that replay a store, and what they print of the session. */
const COMMANDS: readonly (readonly [string, object])[] = [
  ['run --json --with state,display --hash', { app: 'team-chat', ...SHOWN }],
  ['run --json --until 6 --with state', { state: { read: 2 } }],
  ['stats --json', { updates: UPDATES }],
  ['diff --from 5 --to 6 --json', { state: [{ path: 'state.read', before: 0, after: 2 }] }],
  ['export --to redux-devtools -o -', { nextActionId: 11 }],
];

test('run at a speed, a table of other commands, and a redacted capture replay a store', async () => {
  const capture = await captureOf(CHAT_RECORDS);
  for (const [line, expected] of COMMANDS) {
    const [name = '', ...options] = line.split(' ');
    const out = await outOf(name, capture, ...APP, ...options);
    expect(JSON.parse(out)).toMatchObject(expected);
  }
  expect(await outOf('run', capture, ...APP, '--speed', '1000000')).toContain('posted {"id":"again"');
  const output = `${capture}.redacted.parley.jsonl`;
  expect(await runTool('redact', capture, ...APP, '-o', output)).toMatchObject({ status: 0 });
  const out = await outOf('run', output, ...APP, '--json', '--with', 'state');
  const state = { ...STATE, names: { 'text-0': 'person-0' } };
  expect(JSON.parse(out)).toMatchObject({ updates: UPDATES, state });
});

test('names a request that the capture does not answer in a warning', async () => {
  const capture = await captureOf(CHAT_RECORDS.filter(({ type }) => type !== 'http'));
  const err = `warning: ${capture}: it has no answer for GET /api/users/u1\n`;
  expect(await runTool('run', capture, ...APP)).toMatchObject({ status: 0, err });
});

test('finds the records on which a store throws; those of one request stay together', async () => {
  const { at, path } = await captureIn(CHAT_RECORDS.slice(2, 6));
  const adapter = "export const adapter = teamChat({ throwsAtName: 'Ada' });";
  await writeFile(at('adapter.ts'), `import { teamChat } from '${CHAT}';\n${adapter}`);
  const given = ['--app', at('adapter.ts'), '--fails', 'verify', '-o', '-'];
  const { status, out } = await runTool('minimize', path, ...given);
  expect(status).toBe(0);
  expect(rowsOf(out).slice(1)).toEqual([2, 3, 5].map((i) => CHAT_RECORDS[i]));
});

test('what a module of the app keeps is not that of another replay', async () => {
  const at = await temporaryFolder();
  const app = at('adapter.mjs');
  const adapter = `let replays = 0;
    const createStore = () => ({ getState: () => ({ replays }), subscribe: () => () => undefined });
    export const adapter = { name: 'counting', createStore, onFrame: () => void replays++ };`;
  await writeFile(app, adapter);
  for (const name of ['a', 'b'])
    await writeCapture(at(`${name}.parley.jsonl`), [{ t: 1, type: 'recv', data: name }]);
  expect(await runTool('verify', at(''), '--app', app, '--update')).toMatchObject({ status: 0 });
  expect(await outOf('verify', at(''), '--app', app)).toContain('2 captures: 2 same');
});
