import { copyFileSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { sourceOf } from '../assistant/markedMessage.ts';
import { insertAccount } from './accountRows.ts';
import { MEMORY_LIMIT, conversationLog, newestMessages } from './conversationLog.ts';
import { ConversationTail, checkMessages, readNewest } from './messageRows.ts';
import { migrateAnswers } from './migrateAnswers.ts';
import { Database, createDatabase, openDatabase } from './platformDatabase.ts';
import { unfinishedPath } from './platformFile.ts';
import { openStore } from './platformStore.ts';
import { recordingLogger } from '../testing/observers.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';

const silent = pino({ level: 'silent' });
const newPath = async () => join(await temporaryFolder(), 'platform.sqlite');

function foreign(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

function damaged(path: string, change: (bytes: Buffer) => void): void {
  const database = createDatabase(path);
  for (let at = 1; at <= 200; at++)
    database.run(`INSERT INTO accounts VALUES (${at}, 'id${at}', '${at}@a.b', NULL, NULL, '"Ada"', 0, NULL)`);
  database.close();
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

const version = (number: number) => (path: string) =>
  foreign(path, `PRAGMA application_id = 0x50726c79; PRAGMA user_version = ${number}`);

test.each([
  ['empty', (path: string) => writeFileSync(path, '')],
  ['text', (path: string) => writeFileSync(path, 'not ours'.repeat(100))],
  ['a database of another program', (path: string) => foreign(path, 'CREATE TABLE accounts (id)')],
  ['a database of a newer version', version(3)],
  ['a database of no version', version(0)],
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
  const msg = 'a file of the platform is corrupt: it was renamed';
  expect(JSON.parse(logged())).toEqual({ level: 40, path, quarantined: `${path}.corrupt-1`, msg });
});

test('says that a file of version 0.1 is not read, and leaves it as it is, until there is a database', async () => {
  const path = await newPath();
  const old = join(dirname(path), 'platform.json');
  writeFileSync(old, '{"accounts":[]}');
  const { logger, logged } = recordingLogger();
  expect(openDatabase(path, logger)).toBeNull();
  const words = 'platform.json are of version 0.1 and are not read: register again. The file stays';
  expect(JSON.parse(logged())).toEqual({ level: 40, msg: expect.stringContaining(words) });
  createDatabase(path).close();
  const next = recordingLogger();
  openDatabase(path, next.logger)?.close();
  expect(next.logged()).toBe('');
  expect(readFileSync(old, 'utf8')).toBe('{"accounts":[]}');
});

test('creates a database beside one that could not be completed; opens one that a killed process has left locked, with everything in its log', async () => {
  const path = await newPath();
  writeFileSync(unfinishedPath(path), 'half');
  const running = createDatabase(path);
  running.run("INSERT INTO accounts VALUES (1, 'a', 'a@example.org', NULL, NULL, '\"Ada\"', 0, NULL)");
  const killed = await newPath();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix);
  mkdirSync(`${killed}.lock`);
  running.close();
  const database = openDatabase(killed, silent);
  expect(database?.get('SELECT email FROM accounts')).toEqual({ email: 'a@example.org' });
  database?.close();
  for (const file of [path, killed]) expect(readdirSync(dirname(file))).toEqual(['platform.sqlite']);
});

test('does not apply a log without its database to a new database, nor the log of a file that is not ours', async () => {
  const path = await newPath();
  writeFileSync(`${path}-wal`, 'the log of another');
  expect(openDatabase(path, silent)).toBeNull();
  for (const end of ['', '-wal']) writeFileSync(path + end, 'not ours');
  expect(openDatabase(path, silent)).toBeNull();
  const ends = ['-wal.corrupt-1', '.corrupt-1', '.corrupt-1-wal'];
  expect(readdirSync(dirname(path)).toSorted()).toEqual(ends.map((end) => `platform.sqlite${end}`));
});

/** A file that the platform of version 0.2 has written: answers with reasoning, code, a list and a table, an answer that was cut, and a failure. */
const STORED = gunzipSync(readFileSync(join(import.meta.dirname, 'testing/stored-0.2.sqlite.gz')));

async function storedFile(): Promise<string> {
  const path = await newPath();
  writeFileSync(path, STORED);
  return path;
}

async function messagesOf(path: string) {
  const store = openStore({ path, clock: virtualClock(), logger: silent });
  const account = store.account('email', 'ada@example.org');
  if (account === undefined) throw new Error('there is no account');
  const { messages } = store.conversation(account);
  await store.close();
  return messages;
}

test('reads the answers of version 0.2 as Markdown and reasoning, and their notices as notices', async () => {
  const messages = await messagesOf(await storedFile());
  expect(sourceOf(messages[4] ?? {})).toBe('Once upon');
  const drawn = messages
    .map((message) => JSON.stringify(message))
    .join('\n')
    .replaceAll(/"[\w+/=]{100,}"/g, '"…"');
  await expect(drawn).toMatchFileSnapshot('testing/stored-0.2.txt');
});

const HTML =
  '<details><summary>Reasoning</summary><h2>A</h2><p>b<br>c <em>d</em> <strong>e</strong> <code>f</code></p><blockquote>g</blockquote><ol><li>h</li></ol>\n\n\n<table><tr><th>i</th>\n<td>j</td></tr></table><pre><code>k &lt; l\n</code></pre><pre><code class="language-ts">m &#x3C; n\n</code></pre><p>&gt; &#x22;o&quot; &#x26; &amp;lt;</p></details>';

test('migrates every element of reasoning, and nothing but answers and notices, 200 at once', async () => {
  const database = createDatabase(await newPath());
  onTestFinished(() => database.close());
  const content = [
    { category: 'html', text: null, html: HTML },
    { category: 'html', text: 'A table', html: '' },
  ];
  const marks = [{}, { model: 'm' }, { notice: true, avatar: 'a' }, { modifier: 'client', model: 'm' }];
  const more = Array.from({ length: 400 }, () => ({ notice: true }));
  const messages = [...marks, ...more].map((fields) => Object.assign({ modifier: 'ai', content }, fields));
  insertAccount(database, { id: 'a', email: 'a@b', password: null, hostUser: 'a', person: 'A', messages }, 0);
  migrateAnswers(database);
  const found = readNewest(database, 1, { messages: 1000, characters: Infinity }).messages;
  expect(found.slice(4).filter(({ modifier }) => modifier !== 'admin')).toEqual([]);
  const drawn = found
    .slice(0, 4)
    .map((kept) => JSON.stringify(kept, null, 1).replaceAll(JSON.stringify(HTML), 'HTML'));
  await expect(`${drawn.join('\n')}\n`).toMatchFileSnapshot('testing/migrated.txt');
});

test('migrates all of a file whose migration was killed', async () => {
  const path = await storedFile();
  const killed = await storedFile();
  await messagesOf(path);
  const database = new Database(killed);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA cache_size = 1');
  database.exec('BEGIN IMMEDIATE');
  migrateAnswers(database);
  const copy = await newPath();
  for (const file of readdirSync(dirname(killed)).filter((name) => !name.endsWith('.lock')))
    copyFileSync(join(dirname(killed), file), join(dirname(copy), file));
  database.close();
  expect(await messagesOf(copy)).toEqual(await messagesOf(path));
});
const message = (id: string, text: string) => ({ id, modifier: 'ai', content: [{ category: 'text', text }] });

test('takes the newest messages within both limits, oldest first: of a list the same one when all fit, of the file at least one, with the newest number', async () => {
  const list = [10, 20, 30].map((length, index) => message(`${index + 1}`, 'a'.repeat(length)));
  expect(newestMessages(list, { messages: 3, characters: 60 })).toBe(list);
  expect(newestMessages(list, { messages: 2, characters: 1000 })).toEqual(list.slice(1));
  expect(newestMessages(list, { messages: 3, characters: 59 })).toEqual(list.slice(1));
  expect(newestMessages(list, { messages: 3, characters: 29 })).toEqual([]);
  const database = createDatabase(await newPath());
  onTestFinished(() => database.close());
  const owner = { id: 'a', email: 'a@example.org', password: null, hostUser: 'ada', person: 'Ada' };
  insertAccount(database, { ...owner, messages: list }, 0);
  const read = (most: number, characters: number) => readNewest(database, 1, { messages: most, characters });
  const idsOf = (found: ReturnType<typeof read>) => found.messages.map(({ id }) => id);
  expect(idsOf(read(3, 60))).toEqual(['1', '2', '3']);
  expect(idsOf(read(2, 60))).toEqual(['2', '3']);
  expect(idsOf(read(3, 59))).toEqual(['2', '3']);
  expect(idsOf(read(3, 5))).toEqual(['3']);
  expect(read(2, 60).number).toBe(3);
});

test('a conversation in memory drops its oldest messages when it has twice the characters of the limit, each time', () => {
  const log = conversationLog({ person: 'Ada', messages: [] });
  const part = 'x'.repeat(0.175 * MEMORY_LIMIT.characters);
  const large = { avatar: part, modifier: 'ai', content: [{ text: part, html: part, blob: part }] };
  const add = () => {
    log.add(JSON.stringify(large));
    return log.conversation().messages.length;
  };
  log.add('{"name":"Ada King"}');
  expect([add(), add(), add(), add(), add()]).toEqual([1, 2, 1, 2, 1]);
  expect(log.person()).toBe('Ada King');
  log.replaceNewest(large);
  expect(add()).toBe(1);
});

test('checks the messages of a file in parts of 10 ms, until it is ended', async () => {
  const database = createDatabase(await newPath());
  onTestFinished(() => database.close());
  const messages = ['1', '2', '3', '4', '5'].map((id) => message(id, ''));
  insertAccount(database, { id: 'a', email: 'a@b', password: null, hostUser: 'a', person: 'A', messages }, 0);
  const clock = virtualClock();
  const parts: unknown[] = [];
  let spent = 0;
  const read: Parameters<typeof checkMessages>[0] = (query) => {
    const part = query(database);
    parts.push(part);
    return part;
  };
  const slow = { ...clock, now: () => (spent += 5) };
  checkMessages(read, slow);
  for (const ms of [39, 1, 40, 40]) clock.advance(ms);
  const [first, second] = [2, 4].map((number) => ({ account: 1, number }));
  expect(parts.splice(0)).toEqual([first, second, null]);
  for (const ms of [39, 40]) {
    const cancel = checkMessages(read, slow);
    clock.advance(ms);
    cancel();
    clock.advance(1000);
  }
  expect(parts).toEqual([first]);
});

test('a snapshot of the newest message replaces that message only, and updates continue it', () => {
  const tail = new ConversationTail({ person: 'Ada', number: 7, messages: [message('7', 'earlier')] });
  tail.add(JSON.stringify(message('8', 'Hm.')));
  tail.add(JSON.stringify({ person: 'Ada', messages: [message('8', 'Hello')] }));
  const { person, message: changed } = tail.add(JSON.stringify({ text: 'Hello, Ada.' }));
  expect(person).toBe(null);
  expect([changed?.number, tryParseJson(changed?.json() ?? '')]).toEqual([8, message('8', 'Hello, Ada.')]);
});
