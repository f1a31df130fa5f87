import { appendFile, mkdir, readFile, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pino, { type Logger } from 'pino';
import { expect, test, vi } from 'vitest';
import { DataFolderError } from '#files/dataFolderError.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { type ConversationLog, conversationLog } from './conversationLog.ts';
import { journalPath } from './journal.ts';
import { loadPlatformFile } from './loadPlatformFile.ts';
import { PlatformFile } from './platformFile.ts';
import { type StoredAccount, readStored, writeStored } from './storedPlatform.ts';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';

const silent = pino({ level: 'silent' });

const account = (id: string): StoredAccount => ({
  id,
  email: `${id}@example.org`,
  password: { salt: 'c2FsdA', hash: 'aGFzaA', n: 1024, r: 8, p: 1 },
  conversation: {
    person: 'Ada Lovelace',
    messages: [{ id: '1', content: [{ category: 'text', text: null }] }],
  },
});

const message = (id: string, text = 'hello') =>
  JSON.stringify({ id, modifier: 'client', content: [{ category: 'text', text, html: null, blob: null }] });

/** Creates a platform file with the stored accounts; returns it with the operations of a platform. */
async function testFile(logger: Logger = silent, path?: string) {
  const at = path ?? join(await temporaryFolder(), 'platform.json');
  const { accounts: stored, generation } = await loadPlatformFile(at, logger);
  const clock = virtualClock();
  const accounts: { readonly stored: StoredAccount; readonly log: ConversationLog }[] = [];
  const add = (fresh: StoredAccount) =>
    accounts.push({ stored: fresh, log: conversationLog(fresh.conversation) });
  stored.forEach(add);
  const storedNow = vi.fn<() => StoredAccount[]>(() =>
    accounts.map((known) => ({ ...known.stored, conversation: known.log.conversation() })),
  );
  const file = new PlatformFile({ path: at, generation, accounts: storedNow, clock, logger });
  return {
    path: at,
    clock,
    file,
    storedNow,
    register(id: string) {
      add(account(id));
      return new Promise<void>((resolve, reject) => {
        file.append({ account: account(id) }, resolve, () => reject(new Error('not kept')));
      });
    },
    append(id: string, frame: string) {
      accounts.find((known) => known.stored.id === id)?.log.add(frame);
      return new Promise<void>((resolve) => file.append({ id, frame }, resolve));
    },
  };
}

const mode = async (name: string) => ((await stat(name)).mode & 0o777).toString(8);

const idsIn = ({ accounts }: { accounts: readonly StoredAccount[] }) =>
  accounts.map(({ id, conversation }) => [id, ...conversation.messages.map((kept) => kept.id)]);
const load = async (path: string, logger: Logger = silent) => idsIn(await loadPlatformFile(path, logger));

test('loads all committed changes after an unclean end', async () => {
  const { path, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  await register('b');
  await Promise.all([append('b', message('3')), append('a', message('4'))]);
  expect(await load(path)).toEqual([
    ['a', '1', '2', '4'],
    ['b', '1', '3'],
  ]);
  expect(await readdir(dirname(path))).toEqual(['platform.json']);
  expect(await load(path)).toEqual([
    ['a', '1', '2', '4'],
    ['b', '1', '3'],
  ]);
});

test('creates files that only their owner can read, and leaves only the file of version 0.1.0 at the end', async () => {
  const { path, file, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  expect([await mode(path), await mode(journalPath(path))]).toEqual(['600', '600']);
  await file.close();
  expect(await readdir(dirname(path))).toEqual(['platform.json']);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'parley-platform', version: 1 });
  expect(await load(path)).toEqual([['a', '1', '2']]);
});

test('writes nothing when nothing happened', async () => {
  const { path, file } = await testFile();
  file.closeSync();
  await file.close();
  expect(await readdir(dirname(path))).toEqual([]);
});

test('commits the changes of one event-loop turn together and in order, without rewriting the file', async () => {
  const { path, file, register, append, storedNow } = await testFile();
  await register('a');
  const before = await readFile(path, 'utf8');
  storedNow.mockClear();
  const order: number[] = [];
  const appended = Array.from({ length: 200 }, (_, n) =>
    append('a', message(`m${n}`)).then(() => order.push(n)),
  );
  file.afterCommit(() => order.push(200));
  expect(order).toEqual([]);
  await Promise.all(appended);
  expect(order.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 201 }, (_, n) => n));
  expect(storedNow).not.toHaveBeenCalled();
  expect(await readFile(path, 'utf8')).toBe(before);
  expect((await readFile(journalPath(path), 'utf8')).split('\n')).toHaveLength(202);
});

test('merges a large journal into the file', async () => {
  const { path, register, append } = await testFile();
  await register('a');
  const long = 'x'.repeat(3_000_000);
  for (const id of ['2', '3', '4', '5']) await append('a', message(id, long));
  expect((await stat(path)).size).toBeGreaterThan(11_000_000);
  await append('a', message('6'));
  expect((await stat(journalPath(path))).size).toBeLessThan(1000);
  expect(await load(path)).toEqual([['a', '1', '2', '3', '4', '5', '6']]);
});

test('drops an incomplete last line', async () => {
  const { path, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  await appendFile(journalPath(path), '{"id":"a","frame":"{\\"id\\":');
  expect(await load(path)).toEqual([['a', '1', '2']]);
});

test('uses a broken journal up to its first broken line, and keeps a copy', async () => {
  const { path, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  await appendFile(journalPath(path), `broken\n${JSON.stringify({ id: 'a', frame: message('3') })}\n`);
  const { logger, logged } = recordingLogger();
  expect(await load(path, logger)).toEqual([['a', '1', '2']]);
  expect((await readdir(dirname(path))).sort()).toEqual([
    'platform.journal.jsonl.corrupt-1',
    'platform.json',
  ]);
  expect(logged()).toContain('corrupt');
});

test('ignores a journal that the file contains already, when the process was killed between the two', async () => {
  const { path, file, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  const journal = await readFile(journalPath(path));
  await file.close();
  await writeFile(journalPath(path), journal);
  expect(await load(path)).toEqual([['a', '1', '2']]);
  expect(await readdir(dirname(path))).toEqual(['platform.json']);
});

test('writes everything to the disk on a synchronous exit, also during a commit', async () => {
  const { path, file, register, append } = await testFile();
  await register('a');
  const appending = [append('a', message('2')), append('a', message('3'))];
  file.closeSync();
  expect(idsIn(readStored(await readFile(path, 'utf8')) ?? { accounts: [] })).toEqual([['a', '1', '2', '3']]);
  void appending;
});

test('keeps changes that cannot be written, logs this once without content, and commits them later', async () => {
  const { logger, logged } = recordingLogger();
  const { path, clock, register, append } = await testFile(logger);
  await register('a');
  await mkdir(join(journalPath(path), 'in the way'), { recursive: true });
  let isCommitted = false;
  const appending = append('a', message('2', 'my secret')).then(() => (isCommitted = true));
  await vi.waitUntil(() => logged() !== '');
  clock.advance(1000);
  await vi.waitUntil(() => clock.nextDue() !== undefined);
  expect(isCommitted).toBe(false);
  expect(logged().trim().split('\n')).toHaveLength(1);
  expect(logged()).toContain('cannot be written');
  for (const secret of ['example.org', 'secret']) expect(logged()).not.toContain(secret);
  await rmdir(join(journalPath(path), 'in the way'));
  await rmdir(journalPath(path));
  clock.advance(1000);
  await appending;
  expect(await load(path)).toEqual([['a', '1', '2']]);
});

test('refuses a registration that cannot be written', async () => {
  const { path, register } = await testFile();
  await mkdir(path);
  await expect(register('a')).rejects.toThrow('not kept');
});

test('commits nothing more after the journal was removed, and says so', async () => {
  const { logger, logged } = recordingLogger();
  const { path, file, register, append } = await testFile(logger);
  await register('a');
  await append('a', message('2'));
  const moved = `${dirname(path)}-removed`;
  await rename(dirname(path), moved);
  await rm(moved, { recursive: true });
  let isCommitted = false;
  void append('a', message('3')).then(() => (isCommitted = true));
  await vi.waitUntil(() => logged().includes('journal was removed'));
  await expect(register('b')).rejects.toThrow('not kept');
  await file.close();
  file.closeSync();
  expect(isCommitted).toBe(false);
  await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
});

test('repeats an incomplete write, without a broken line between', async () => {
  const { path, register, append } = await testFile();
  await register('a');
  await append('a', message('2'));
  // Longer than the record that is written in its place.
  await appendFile(journalPath(path), `${'half of a line'.repeat(100)}\n`);
  await append('a', message('3'));
  expect(await load(path)).toEqual([['a', '1', '2', '3']]);
  expect(await readdir(dirname(path))).toEqual(['platform.json']);
});

test.each([
  ['not JSON', '{"format":"parley-pl'],
  ['empty', ''],
  ['in another format', '{"format":"parley-capture","version":1,"accounts":[]}'],
  ['of a newer version', '{"format":"parley-platform","version":2,"accounts":[]}'],
  [
    'invalid in an account',
    JSON.stringify({ format: 'parley-platform', version: 1, accounts: [{ id: 'a' }] }),
  ],
])('quarantines a file that is %s, unchanged, with a line in the log', async (_, text) => {
  const path = join(await temporaryFolder(), 'platform.json');
  const { logger, logged } = recordingLogger();
  await writeFile(path, text);
  expect(await loadPlatformFile(path, logger)).toEqual({ accounts: [], generation: null });
  await writeFile(path, text);
  await loadPlatformFile(path, logger);
  expect(await readdir(dirname(path))).toEqual(['platform.json.corrupt-1', 'platform.json.corrupt-2']);
  expect(await readFile(`${path}.corrupt-2`, 'utf8')).toBe(text);
  expect(logged()).toContain('platform.json.corrupt-1');
});

test('reads the file of version 0.1.0, which has no generation', async () => {
  const path = join(await temporaryFolder(), 'platform.json');
  await writeFile(path, JSON.stringify({ format: 'parley-platform', version: 1, accounts: [account('a')] }));
  const { append, file } = await testFile(silent, path);
  await append('a', message('2'));
  expect(await load(path)).toEqual([['a', '1', '2']]);
  await file.close();
});

test('reports a folder that is a file with a message that names it and what to do', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, '');
  const loading = loadPlatformFile(join(path, 'platform.json'), silent);
  await expect(loading).rejects.toThrow(DataFolderError);
  await expect(loading).rejects.toThrow(
    `cannot use the data folder ${path}: a file is in the place of a folder; name another folder with PARLEY_DATA_DIR`,
  );
});

test('keeps fields of messages that the platform does not know', () => {
  const text = writeStored([account('a')]).replace('"id":"1"', '"id":"1","mood":"fine"');
  expect(readStored(text)?.accounts[0]?.conversation.messages[0]).toMatchObject({ id: '1', mood: 'fine' });
});
