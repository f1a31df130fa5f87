import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pino, { type Logger } from 'pino';
import { expect, test } from 'vitest';
import { DataFolderError } from '#files/dataFolderError.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { fillDisk } from '../testing/fillDisk.ts';
import { readStoredPlatform } from '../testing/readStoredPlatform.ts';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { openStore } from './openStore.ts';
import { readPlatformJson } from './migratePlatformJson.ts';

const FIXTURE = resolve(import.meta.dirname, '../../../tests/fixtures/data-0.1.0/platform.json');
const silent = pino({ level: 'silent' });

const account = (id: string, ...messages: string[]) => ({
  id,
  email: `${id}@example.org`,
  password: { salt: 'c2FsdA', hash: 'aGFzaA', n: 1024, r: 8, p: 1 },
  conversation: {
    person: 'Ada Lovelace',
    messages: messages.map((message) => ({ id: message, content: [{ category: 'text', text: null }] })),
  },
});

const json = (accounts: readonly unknown[], generation?: number) =>
  JSON.stringify({ format: 'parley-platform', version: 1, generation, accounts });

const journal = (follows: number, ...records: readonly unknown[]) =>
  [{ format: 'parley-platform-journal', version: 1, follows }, ...records]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

const frame = (id: string, message: string) => ({
  id,
  frame: JSON.stringify({ id: message, modifier: 'client', content: [{ category: 'text', text: 'hello' }] }),
});

/** Writes the files of an earlier version into a new folder; returns the database's path. */
async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, 'platform.sqlite');
}

/** Starts and ends a platform on the folder. */
function migrate(path: string, logger: Logger = silent): void {
  openStore({ path, clock: virtualClock(), logger }).closeSync();
}

const ids = (path: string) =>
  readStoredPlatform(path).map(({ id, messages }) => [id].concat(messages.map((kept) => kept.id ?? '')));

test('takes over the file of version 0.1.0 and keeps it under another name', async () => {
  const path = await folderWith({});
  copyFileSync(FIXTURE, join(dirname(path), 'platform.json'));
  migrate(path);
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['platform.json.migrated', 'platform.sqlite']);
  const [before] = readPlatformJson(readFileSync(FIXTURE, 'utf8'))?.accounts ?? [];
  const [stored] = readStoredPlatform(path);
  expect(stored).toMatchObject({ id: before?.id, email: before?.email, password: before?.password });
  expect({ person: stored?.person, messages: stored?.messages }).toEqual(before?.conversation);
});

test('takes over a file with its journal, up to its first broken line', async () => {
  const records = [frame('a', '2'), { account: account('b', '1') }, frame('b', '2')];
  const text = `${journal(3, ...records)}broken\n${JSON.stringify(frame('a', '3'))}\n`;
  const path = await folderWith({
    'platform.json': json([account('a', '1')], 3),
    'platform.journal.jsonl': text,
  });
  migrate(path);
  expect(ids(path)).toEqual([
    ['a', '1', '2'],
    ['b', '1', '2'],
  ]);
  expect(readFileSync(join(dirname(path), 'platform.journal.jsonl.migrated'), 'utf8')).toBe(text);
});

test('ignores the incomplete last line of a journal, and a journal of another file', async () => {
  const incomplete = journal(3, frame('a', '2')) + JSON.stringify(frame('a', '3'));
  const path = await folderWith({
    'platform.json': json([account('a', '1')], 3),
    'platform.journal.jsonl': incomplete,
  });
  migrate(path);
  expect(ids(path)).toEqual([['a', '1', '2']]);
  const other = await folderWith({
    'platform.json': json([account('a', '1')], 4),
    'platform.journal.jsonl': incomplete,
  });
  migrate(other);
  expect(ids(other)).toEqual([['a', '1']]);
});

test.each(['platform.json', 'platform.journal.jsonl'])(
  'repeats itself cleanly when the process was killed before it renamed %s',
  async (left) => {
    const files = {
      'platform.json': json([account('a', '1')], 3),
      'platform.journal.jsonl': journal(3, frame('a', '2'), { account: account('b', '1') }),
    };
    const path = await folderWith(files);
    migrate(path);
    const kept = left === 'platform.json' ? [left] : Object.keys(files);
    for (const name of kept) {
      const file = join(dirname(path), name);
      copyFileSync(`${file}.migrated`, file);
    }
    migrate(path);
    expect(ids(path)).toEqual([
      ['a', '1', '2'],
      ['b', '1'],
    ]);
    for (const name of kept) expect(existsSync(join(dirname(path), `${name}.migrated-2`))).toBe(true);
  },
);

test('keeps an account that has the same email, and adds the others', async () => {
  const path = await folderWith({ 'platform.json': json([account('a', '1')]) });
  migrate(path);
  writeFileSync(
    join(dirname(path), 'platform.json'),
    json([{ ...account('other', '9'), email: 'a@example.org' }, account('b', '2')]),
  );
  migrate(path);
  expect(ids(path)).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
});

test('takes over nothing while the disk is full, says what to do, and does it at the next start', async () => {
  const path = await folderWith({ 'platform.json': json([account('a', '1')]) });
  const makeRoom = fillDisk();
  expect(() => migrate(path)).toThrow(DataFolderError);
  expect(() => migrate(path)).toThrow(/^cannot use .+: .+; solve that, then start again$/);
  makeRoom();
  migrate(path);
  expect(ids(path)).toEqual([['a', '1']]);
});

test.each([
  ['not JSON', '{"format":"parley-pl'],
  ['empty', ''],
  ['in another format', '{"format":"parley-capture","version":1,"accounts":[]}'],
  ['of a newer version', '{"format":"parley-platform","version":2,"accounts":[]}'],
  ['invalid in an account', json([{ id: 'a' }])],
])('quarantines a file that is %s, unchanged, with its journal and a line in the log', async (_, text) => {
  const path = await folderWith({ 'platform.json': text, 'platform.journal.jsonl': 'of the file' });
  const { logger, logged } = recordingLogger();
  migrate(path, logger);
  expect(readdirSync(dirname(path)).toSorted()).toEqual([
    'platform.journal.jsonl.corrupt-1',
    'platform.json.corrupt-1',
  ]);
  expect(readFileSync(join(dirname(path), 'platform.json.corrupt-1'), 'utf8')).toBe(text);
  expect(logged()).toContain('platform.json.corrupt-1');
});

test('reports a folder that is a file with a message that names it and what to do', async () => {
  const path = await folderWith({ file: '' });
  expect(() => migrate(join(dirname(path), 'file', 'platform.sqlite'))).toThrow(
    `cannot use the data folder ${dirname(path)}/file: a file is in the place of a folder; name another folder with PARLEY_DATA_DIR`,
  );
});
