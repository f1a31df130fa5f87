import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { anyApp } from '../package/anyApp.ts';
import { refused, temporaryFolder, toolOf, writeCapture } from '../testing/files.ts';
import { findParts } from './findParts.ts';

const REDUX = "import { configureStore } from '@reduxjs/toolkit';\n";
const STORE = `${REDUX}import { reducer } from './reducer.js';

const early = (text: string) => text;

export function makeStore() {
  return configureStore({ reducer });
}
`;
const FEED = "export const feed = new EventSource('/events');";
const SOCKET = `// new WebSocket() is opened once.
export function connect(url: string) {
  return new WebSocket(url);
}
`;

const TWO_STORES = { 'a.ts': STORE, 'b.ts': STORE, 'c.ts': SOCKET };

/** Makes a project with these files the working folder until the end of the test. */
async function project(files: Readonly<Record<string, string>>) {
  const at = await temporaryFolder();
  for (const [name, text] of Object.entries({ 'package.json': '{"name":"it\'s chat"}', ...files })) {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
  const before = process.cwd();
  process.chdir(at(''));
  onTestFinished(() => process.chdir(before));
  return at;
}

/** Runs the tool as the installed package does. */
const run = toolOf(anyApp);

/** What init prints and writes, or keeps, as a section of a golden. */
async function initialized(at: (name: string) => string, ...options: readonly string[]) {
  const { status, out, err } = await run('init', ...options);
  expect([status, err]).toEqual([0, '']);
  const names = out.split('\n').flatMap((line) => /^(?:wrote|kept) +(\S+)$/.exec(line)?.[1] ?? []);
  let text = out;
  for (const name of names) text += `\n--- ${name}\n${await readFile(at(name), 'utf8')}`;
  return text;
}

test('init writes an adapter of the store that it finds, a test and a CI job, and says what to do next', async () => {
  const at = await project({
    'package.json': '{"name":"chat","type":"module","devDependencies":{"vitest":"4.0.0"}}',
    'tsconfig.json': '{}',
    'src/store.ts': STORE,
    'src/socket.ts': SOCKET,
    'src/socket.test.ts': 'new WebSocket("ws://x")',
    'node_modules/x/index.js': 'new WebSocket("ws://x")',
  });
  await expect(await initialized(at)).toMatchFileSnapshot('testing/chat.txt');
  const workflow: unknown = parse(await readFile(at('.github/workflows/replay.yml'), 'utf8'));
  expect(workflow).toMatchObject({ permissions: { contents: 'read' }, jobs: { verify: {} } });
});

test('init changes nothing that exists', async () => {
  const files = { 'src/store.js': STORE, 'src/socket.js': SOCKET, 'replay.adapter.mjs': 'mine' };
  const at = await project(files);
  expect(await initialized(at)).toMatch(/^kept {2}replay\.adapter\.mjs\nwrote \.github/);
  expect(await initialized(at)).toMatch(/^kept {2}replay\.adapter\.mjs\nkept {2}\.github/);
  expect(await readFile(at('replay.adapter.mjs'), 'utf8')).toBe('mine');
});

const MODULE_STORE = `${REDUX}export const store = configureStore({});`;
const ZUSTAND = "import { create } from 'zustand';\nexport const useStore = create<State>()(() => ({}));";

test.each([
  ['that a module makes itself', { 'src/store.js': MODULE_STORE, 'src/feed.js': FEED }, []],
  ['of zustand', { 'src/store.ts': ZUSTAND, 'src/feed.ts': FEED, 'tsconfig.json': '{}' }, []],
  ['that a person names', { ...TWO_STORES, 'tsconfig.json': '{}' }, ['--store', './b.ts']],
] as const)('init writes the adapter of a store %s', async (name, files, options) => {
  const text = await initialized(await project(files), ...options);
  const golden = `testing/${name.replaceAll(' ', '-')}.txt`;
  await expect(text).toMatchFileSnapshot(golden);
});

test.each([
  ['no store', { 'src/socket.ts': SOCKET }, [], 'the store was not found in this folder'],
  ['no connection', { 'src/store.ts': STORE }, [], 'the connection was not found in this folder'],
  ['several stores', TWO_STORES, [], 'the store is made in a.ts, b.ts: name one with --store'],
  ['another file', TWO_STORES, ['--store', 'c.ts'], '--store c.ts: the store is not'],
  ['no project', { 'package.json': '[]' }, [], 'package.json: is not a JSON object'],
] as const)('init refuses with one line: %s', async (...[, files, options, line]) => {
  await project(files);
  const { status, err } = await run('init', ...options);
  expect({ status, lines: err.trim().split('\n').length }).toEqual({ status: 2, lines: 1 });
  expect(err).toContain(line);
});

test('the other commands of the package name init when the folder has no adapter, and use the adapter that it has', async () => {
  const at = await project({});
  await writeCapture(at('x.parley.jsonl'), [{ t: 1, type: 'recv', data: '7' }]);
  const advice = 'name its adapter with --app, or run `parley-replay init`, which writes replay.adapter.ts';
  expect(await run('run', 'x.parley.jsonl')).toEqual(refused(`no app to replay: ${advice}\n`));
  await writeFile(
    at('replay.adapter.js'),
    "export default { name: 'sum', decode: (data) => ({ update: Number(data) }), kind: () => 'number', initialState: 0, reduce: (sum, n) => sum + n };",
  );
  expect((await run('run', 'x.parley.jsonl', '--with', 'state', '--json')).out).toContain('"state":7');
});

test('finds functions that make stores, stores that modules make, and a reader of fetch', async () => {
  await project({
    'a.ts':
      "import { createStore } from 'zustand/vanilla';\nexport const makePrices = (start: number) =>\n  createStore<State>()((set) => ({ start }));",
    'b.ts': `${REDUX}export function other() {}\nexport const store = configureStore({});`,
    'c.ts': 'export const read = (response: Response) => response.body!.getReader();',
  });
  const { stores, feeds } = await findParts('.');
  expect(stores.map(({ file, library, factory }) => ({ file, library, factory }))).toEqual([
    { file: 'a.ts', library: 'zustand', factory: 'makePrices' },
    { file: 'b.ts', library: 'redux', factory: undefined },
  ]);
  expect(feeds.map(({ kind }) => kind)).toEqual(['fetch stream']);
});
