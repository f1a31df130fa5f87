import { createHash } from 'node:crypto';
import { copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { CHAT_RECORDS, type TeamChatFault, globalTeamChat, teamChat } from '../store/testing/teamChat.ts';
import {
  captureIn,
  captureOf,
  outOf,
  refused,
  rowsOf,
  runTool,
  temporaryFolder,
  writeCapture,
} from '../testing/files.ts';
import { show, terminal } from './testing/terminal.ts';
import { verifyApp } from '../verify/testing/verifyParley.ts';

const COUNTER = join(import.meta.dirname, '../testing/counterAdapter.ts');

const counterWith = (parts: string) =>
  `import { counterAdapter } from ${JSON.stringify(COUNTER)};\nexport default { ...counterAdapter, ${parts} };`;

/** Writes a capture of the counter, and a module with this text as its adapter. */
async function session(text: string) {
  const { at, path: capture } = await captureIn([
    { t: 0, type: 'open' },
    { t: 1000, type: 'recv', data: 'apples 2' },
    { t: 2000, type: 'recv', data: 'pears 0' },
    { t: 3000, type: 'recv', data: 'pears \u001b[2J' },
  ]);
  await writeFile(at('adapter.ts'), text);
  return { at, capture, app: ['--app', at('adapter.ts')] };
}

test.each([
  ["throw new Error('not today\\nnor tomorrow');", 'throws when it is loaded: not today'],
  ['export const adapter: = 1;', /cannot be bundled: \[PARSE_ERROR\] .* at .*adapter\.ts:1:\d+\n$/],
])('refuses an adapter with the text %j in one line, with status 2', async (text, problem) => {
  const { capture, app } = await session(text);
  const result = await runTool('verify', capture, ...app);
  expect(result).toEqual(refused(expect.stringMatching(/^--app .*\n$/)));
  expect(result.err).toMatch(problem);
});

const THROWN =
  /^(?:--app .*adapter\.ts: the adapter threw RangeError: no|unusable .*: the replayed code threw RangeError)\n$/;
const NOT_PLAIN = /^.*state\.when is a Date; a state is plain data \(JSON\)\n$/;

test.each([
  ["reduce() { throw new RangeError('no'); }", THROWN],
  ['reduce: (state) => ({ ...state, when: new Date(0) })', NOT_PLAIN],
])('reports the adapter with %s in one line, with status 2', async (parts, problem) => {
  const { capture, app, at } = await session(counterWith(parts));
  const devTools = ['export', '--to', 'redux-devtools', '-o', at('x.json')];
  for (const command of [['run'], ['stats', '--per-update'], devTools]) {
    const { status, err } = await runTool(...command, capture, ...app);
    expect([command, status, err]).toEqual([command, 2, expect.stringMatching(problem)]);
  }
});

const PANE = "pane: './pane.ts', redact: { codes: ['kind'] }";

/** Checks that a file is the inspector with an adapter and its pane, whose scripts the policy allows by their hashes. */
async function expectAppReport(path: string) {
  const html = await readFile(path, 'utf8');
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(html).toContain(`script-src ${hashes.join(' ')};`);
  expect(scripts[0]).toContain('element.textContent = "drawn"');
  expect(html).toContain('name: "counter"');
  return html;
}

test('report and verify --report-dir write the inspector with the adapter and its pane; redact keeps its codes', async () => {
  const { capture, at, app } = await session(counterWith(PANE));
  await writeFile(at('pane.ts'), "export const pane = (element) => { element.textContent = 'drawn'; };");
  expect((await runTool('report', capture, ...app, '-o', at('x.html'), '--redact')).status).toBe(0);
  await expectAppReport(at('x.html'));
  await runTool('verify', capture, ...app, '--update');
  await writeFile(at('adapter.ts'), counterWith(`${PANE}, reduce: (state) => ({ ...state, isOpen: false })`));
  expect((await runTool('verify', capture, ...app, '--report-dir', at('reports'))).status).toBe(1);
  const report = (await readdir(at('reports'))).find((name) => name.startsWith('differs'));
  expect(await expectAppReport(at(`reports/${report}`))).toContain('"update":1');
  const data = JSON.stringify({ kind: 'moved', who: 'ada', parts: [{ kind: 'Ada L' }] });
  await writeCapture(capture, [{ t: 0, type: 'recv', data }]);
  await runTool('redact', capture, '-o', at('r.parley.jsonl'), ...app);
  const [, line = ''] = (await readFile(at('r.parley.jsonl'), 'utf8')).split('\n');
  const masked = { kind: 'moved', who: 'text-0', parts: [{ kind: 'text-1' }] };
  expect(JSON.parse(JSON.parse(line).data)).toEqual(masked);
  await rm(at('pane.ts'));
  await writeFile(at('adapter.ts'), counterWith(PANE));
  const problem = 'its pane ./pane.ts cannot be bundled for a browser: [UNRESOLVED_ENTRY]';
  expect(await runTool('open', capture, ...app)).toEqual(refused(expect.stringContaining(problem)));
});

const ROOT = join(import.meta.dirname, '../../..');
const CORPUS = join(ROOT, 'tests/captures');

async function traceIn(path: string) {
  const { counts, queue, connection, steps, app } = JSON.parse(await readFile(path, 'utf8'));
  const shown = steps.map(({ changes: _changes, ...step }: { changes: object }) => step);
  return { app, trace: [counts, queue, connection, shown] };
}

test('replays sessions that an app keeps in its own state as Parley replays its own, one after the other', async () => {
  const at = await temporaryFolder();
  const module = join(ROOT, 'src/shared/replay/adapter.ts');
  const text = `import { parleyAdapter } from '${module}';\nexport default parleyAdapter();`;
  await writeFile(at('parley.ts'), text);
  const app = ['--app', at('parley.ts')];
  const [first = '', next = ''] = ['sign-out', 'sign-out.then'].map((name) => `${name}.parley.jsonl`).map(at);
  for (const capture of [first, next]) await copyFile(join(CORPUS, basename(capture)), capture);
  expect(await runTool('verify', first, ...app, '--update')).toMatchObject({ status: 0 });
  const own = await traceIn(join(CORPUS, 'sign-out.golden.json'));
  const golden = at('sign-out.golden.json');
  expect(await traceIn(golden)).toEqual({ app: 'Parley', trace: own.trace });
  // Only a golden that differs is parsed.
  await writeFile(golden, (await readFile(golden, 'utf8')).replace('"dropped":1', '"dropped":2'));
  expect((await runTool('verify', first, ...app)).out).toMatch(/counts\.dropped/u);
  const { out } = await runTool('run', first, '--then', next, ...app, '--json');
  expect(JSON.parse(out)).toMatchObject({ capture: next, frames: { received: 4 }, updates: { applied: 4 } });
});

const CHAT = join(import.meta.dirname, '../store/testing/teamChat.ts');

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
  const unstable = await verifyApp(capture, { app: teamChat({ usesDate: true }), update: true });
  expect(unstable).toMatchObject({ outcome: 'unusable', problem });
  const app = globalTeamChat(true);
  expect(await verifyApp(capture, { app, update: true })).toMatchObject({ golden: 'new' });
  expect(await verifyApp(capture, { app })).toMatchObject({ outcome: 'same' });
});

test('the commands that replay a capture replay a store, also at a speed and redacted, and name a request that the capture does not answer', async () => {
  const unanswered = CHAT_RECORDS.filter(({ type }) => type !== 'http');
  const at = await terminal({ chat: CHAT_RECORDS, unanswered });
  const adapter = join(import.meta.dirname, '../store/testing/teamChatAdapter.ts');
  await writeFile(at('app.ts'), `export { adapter } from '${adapter}';`);
  const shown = await show(`
    run chat.parley.jsonl --app app.ts --json --with state,display --hash
    run chat.parley.jsonl --app app.ts --json --until 6 --with state
    run chat.parley.jsonl --app app.ts --speed 1000000
    run unanswered.parley.jsonl --app app.ts
    stats chat.parley.jsonl --app app.ts --json
    diff chat.parley.jsonl --app app.ts --from 5 --to 6 --json
    export chat.parley.jsonl --app app.ts --to redux-devtools -o - > devtools.json
    find chat.parley.jsonl --app app.ts --change state.read --limit 1 --json
    state chat.parley.jsonl --app app.ts state.read
    state - --app app.ts state.read
    redact chat.parley.jsonl --app app.ts -o redacted.parley.jsonl
    run redacted.parley.jsonl --app app.ts --json --with state
  `);
  await expect(shown).toMatchFileSnapshot('testing/store.txt');
  // It has random ids of the thunks.
  expect(JSON.parse(await readFile(at('devtools.json'), 'utf8'))).toMatchObject({ nextActionId: 11 });
});

test('finds the records on which a store throws; those of one request stay together', async () => {
  const { at, path } = await captureIn(CHAT_RECORDS.slice(2, 6));
  const adapter = "export const adapter = teamChat({ throwsAt: 'Ada' });";
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
