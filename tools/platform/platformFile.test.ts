import { mkdir, readFile, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { DataFolderError } from '#files/dataFolderError.ts';
import { loadPlatformFile, platformFile } from './platformFile.ts';
import { type StoredAccount, readStored, writeStored } from './storedPlatform.ts';
import { recordingLogger } from './testing/recordingLogger.ts';
import { temporaryFolder } from './testing/testPlatform.ts';

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

async function testFile(accounts: () => readonly StoredAccount[] = () => [account('a')]) {
  const path = join(await temporaryFolder(), 'platform.json');
  await loadPlatformFile(path, silent);
  return { path, file: platformFile({ path, accounts, logger: silent }) };
}

const permissions = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('what was saved, is loaded again', async () => {
  const { path, file } = await testFile();
  file.save();
  await file.flush();
  expect(await loadPlatformFile(path, silent)).toEqual([account('a')]);
});

test('the file is its owner’s alone, and nothing else is left', async () => {
  const { path, file } = await testFile();
  file.save();
  await file.flush();
  expect(await permissions(path)).toBe('600');
  expect(await readdir(dirname(path))).toEqual(['platform.json']);
});

test('saves in one turn, are one write; saves during a write, are one more with the newest state', async () => {
  let state = 0;
  const accounts = vi.fn<() => StoredAccount[]>(() => [account(`a${state}`)]);
  const { path, file } = await testFile(accounts);
  for (state = 1; state < 5; state++) file.save();
  await vi.waitUntil(() => accounts.mock.calls.length === 1);
  for (; state < 9; state++) file.save();
  await file.flush();
  expect(accounts).toHaveBeenCalledTimes(2);
  expect(readStored(await readFile(path, 'utf8'))).toEqual([account('a9')]);
});

test('nothing to save, writes nothing', async () => {
  const { path, file } = await testFile();
  await file.flush();
  file.flushSync();
  expect(await readdir(dirname(path))).toEqual([]);
});

test('the process’s last moment, has on the disk what was saved, also during a write', async () => {
  let state = 'first';
  const { path, file } = await testFile(() => [account(state)]);
  file.save();
  state = 'last';
  file.flushSync();
  expect(readStored(await readFile(path, 'utf8'))).toEqual([account('last')]);
  await file.flush();
});

test('a write that fails, is logged without content, and made up for by the next', async () => {
  const { path } = await testFile();
  const { logger, logged } = recordingLogger();
  const file = platformFile({ path, accounts: () => [account('a')], logger });
  await mkdir(path);
  file.save();
  await file.flush();
  expect(logged()).toContain('"code":"EISDIR"');
  expect(logged()).not.toContain('example.org');
  await rmdir(path);
  await file.flush();
  expect(readStored(await readFile(path, 'utf8'))).toEqual([account('a')]);
});

test.each([
  ['no JSON', '{"format":"parley-pl'],
  ['empty', ''],
  ['another format', '{"format":"parley-capture","version":1,"accounts":[]}'],
  ['a newer version', '{"format":"parley-platform","version":2,"accounts":[]}'],
  ['a broken account', JSON.stringify({ format: 'parley-platform', version: 1, accounts: [{ id: 'a' }] })],
])('a file that is %s, is moved aside unharmed, with a line in the log', async (_, text) => {
  const { path } = await testFile();
  const { logger, logged } = recordingLogger();
  await writeFile(path, text);
  expect(await loadPlatformFile(path, logger)).toEqual([]);
  await writeFile(path, text);
  await loadPlatformFile(path, logger);
  expect(await readdir(dirname(path))).toEqual(['platform.json.corrupt-1', 'platform.json.corrupt-2']);
  expect(await readFile(`${path}.corrupt-2`, 'utf8')).toBe(text);
  expect(logged()).toContain('platform.json.corrupt-1');
});

test('reports a folder that is a file in words that name it and the way out', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, '');
  const loading = loadPlatformFile(join(path, 'platform.json'), silent);
  await expect(loading).rejects.toThrow(DataFolderError);
  await expect(loading).rejects.toThrow(
    `cannot use the data folder ${path}: a file is in the place of a folder; name another folder with PARLEY_DATA_DIR`,
  );
});

test('fields that nobody knows, are kept in messages', () => {
  const text = writeStored([account('a')]).replace('"id":"1"', '"id":"1","mood":"fine"');
  expect(readStored(text)?.[0]?.conversation.messages[0]).toMatchObject({ id: '1', mood: 'fine' });
});
