import { copyFileSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { Database, createDatabase, openDatabase } from './platformDatabase.ts';

const silent = pino({ level: 'silent' });
const newPath = async () => join(await temporaryFolder(), 'platform.sqlite');

/** Creates a database of another program, or of another version. */
function foreign(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

/** Creates our database and changes its bytes. */
function damaged(path: string, change: (bytes: Buffer) => void): void {
  const database = createDatabase(path);
  for (let number = 1; number <= 200; number++)
    database.run('INSERT INTO accounts VALUES (?, ?, ?, NULL, NULL, ?, 0, NULL)', [
      number,
      `id${number}`,
      `${number}@example.org`,
      '"Ada Lovelace"',
    ]);
  database.close();
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

test.each([
  ['text', (path: string) => writeFileSync(path, 'not ours'.repeat(100))],
  ['empty', (path: string) => writeFileSync(path, '')],
  ['a database of another program', (path: string) => foreign(path, 'CREATE TABLE accounts (id)')],
  [
    'a database of a newer version',
    (path: string) => foreign(path, 'PRAGMA application_id = 0x50726c79; PRAGMA user_version = 3'),
  ],
  [
    'a database without our tables',
    (path: string) => foreign(path, 'PRAGMA application_id = 0x50726c79; PRAGMA user_version = 1'),
  ],
  ['truncated', (path: string) => (damaged(path, () => undefined), truncateSync(path, 20_000))],
  ['damaged in a page', (path: string) => damaged(path, (bytes) => bytes.fill(0xff, 4096 * 2, 4096 * 3))],
])('quarantines a file that is %s, with a line in the log', async (_, write) => {
  const path = await newPath();
  const { logger, logged } = recordingLogger();
  write(path);
  const before = readFileSync(path);
  expect(openDatabase(path, logger)).toBeNull();
  expect(readdirSync(dirname(path))).toEqual(['platform.sqlite.corrupt-1']);
  expect(readFileSync(`${path}.corrupt-1`).length).toBe(before.length);
  expect(logged()).toContain('platform.sqlite.corrupt-1');
});

test('says that a file of version 0.1 is not read, and leaves it as it is, until there is a database', async () => {
  const path = await newPath();
  const old = join(dirname(path), 'platform.json');
  writeFileSync(old, '{"accounts":[]}');
  const { logger, logged } = recordingLogger();
  expect(openDatabase(path, logger)).toBeNull();
  expect(logged()).toContain('platform.json are of version 0.1 and are not read: register again');
  createDatabase(path).close();
  const next = recordingLogger();
  openDatabase(path, next.logger)?.close();
  expect(next.logged()).toBe('');
  expect(readFileSync(old, 'utf8')).toBe('{"accounts":[]}');
});

test('opens a database that a killed process has left locked, with everything in its log', async () => {
  const path = await newPath();
  const running = createDatabase(path);
  running.run("INSERT INTO accounts VALUES (1, 'a', 'a@example.org', NULL, NULL, '\"Ada\"', 0, NULL)");
  const killed = await newPath();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
  mkdirSync(`${killed}.lock`);
  running.close();
  const database = openDatabase(killed, silent);
  expect(database?.get('SELECT email FROM accounts')).toEqual({ email: 'a@example.org' });
  database?.close();
  expect(readdirSync(dirname(killed))).toEqual(['platform.sqlite']);
});

test('removes a database that was not complete when its process was killed', async () => {
  const path = await newPath();
  foreign(`${path}.new`, 'CREATE TABLE accounts (id)');
  mkdirSync(`${path}.new.lock`);
  expect(openDatabase(path, silent)).toBeNull();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('does not apply a log without its database to a new database', async () => {
  const path = await newPath();
  writeFileSync(`${path}-wal`, 'the log of another');
  expect(openDatabase(path, silent)).toBeNull();
  expect(readdirSync(dirname(path))).toEqual(['platform.sqlite-wal.corrupt-1']);
});

test('quarantines a large file whose accounts are damaged, also after a clean end', async () => {
  const path = await newPath();
  const database = createDatabase(path);
  for (let number = 1; number <= 200; number++)
    database.run('INSERT INTO accounts VALUES (?, ?, ?, NULL, NULL, ?, 0, NULL)', [
      number,
      `id${number}`,
      `${number}@example.org`,
      '"Ada Lovelace"',
    ]);
  for (let number = 1; number <= 18; number++)
    database.run('INSERT INTO messages VALUES (1, ?, ?)', [number, 'x'.repeat(1_000_000)]);
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 4096, 2 * 4096));
  expect(openDatabase(path, silent)).toBeNull();
  expect(readdirSync(dirname(path))).toEqual(['platform.sqlite.corrupt-1']);
});
