import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { sourceOf } from '../assistant/markedMessage.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { migrateAnswers } from './migrateAnswers.ts';
import { Database } from './platformDatabase.ts';
import { openStore } from './platformStore.ts';

const logger = pino({ level: 'silent' });
/** A file that the platform of version 0.2 has written: answers with reasoning, code, a list and a table, an answer that was cut, and a failure. */
const STORED = gunzipSync(readFileSync(join(import.meta.dirname, 'testing/stored-0.2.sqlite.gz')));

async function storedFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'platform.sqlite');
  writeFileSync(path, STORED);
  return path;
}

/** Returns the conversation of a file. */
async function messagesOf(path: string) {
  const store = openStore({ path, clock: virtualClock(), logger });
  const account = store.account('email', 'ada@example.org');
  if (account === undefined) throw new Error('there is no account');
  const { messages } = store.conversation(account);
  await store.close();
  return messages;
}

test('reads the answers of version 0.2 as Markdown and reasoning, and their notices as notices', async () => {
  const messages = await messagesOf(await storedFile());
  expect(messages).toHaveLength(13);
  const [greeting, , program, , story, , hello] = messages;
  expect(greeting).toMatchObject({ modifier: 'admin', notice: true, context: '', avatar: '' });
  expect(program).toMatchObject({ modifier: 'ai', model: 'stub-model', context: 'Parley' });
  expect(program?.content?.map(({ format, text }) => [format, text])).toEqual([
    ['reasoning', 'They want code.\n\n- a < b\n\n```ts\nlet a;\n```\n\na | b | \n\n1 | 2 |'],
    ['markdown', 'Steps\n\nHere it is:\n\n'],
    ['markdown', '```ts\nconst a = 1 < 2;\n```\n\n'],
    ['markdown', 'That is all.\n\n'],
    ['markdown', '- one\n- two\n\n'],
    ['markdown', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ]);
  expect(program?.content?.every(({ category, html }) => category === 'text' && html === null)).toBe(true);
  expect(story?.content).toEqual([
    { category: 'text', text: 'Once upon', html: null, blob: null, format: 'markdown' },
    { category: 'text', text: expect.stringContaining('ended before'), html: null, blob: null },
  ]);
  expect(hello?.content).toMatchObject([
    { format: 'reasoning', text: 'They greet me & you.' },
    { format: 'markdown', text: 'Hello, Ada.' },
  ]);
  expect(sourceOf(story ?? {})).toBe('Once upon');
  expect(messages[8]).toMatchObject({ modifier: 'admin', notice: true, failed: true });
  expect(messages[11]?.content).toMatchObject([{ category: 'image', text: 'a.gif', blob: 'R0lGODlh' }]);
});

test('migrates a file once', async () => {
  const path = await storedFile();
  const messages = await messagesOf(path);
  const bytes = readFileSync(path);
  expect(await messagesOf(path)).toEqual(messages);
  expect(readFileSync(path)).toEqual(bytes);
});

test('migrates all of a file whose migration was killed', async () => {
  const path = await storedFile();
  const killed = await storedFile();
  await messagesOf(path);
  const database = new Database(killed);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA cache_size = 1');
  database.exec('BEGIN IMMEDIATE');
  migrateAnswers(database);
  const copy = join(await temporaryFolder(), 'platform.sqlite');
  for (const file of readdirSync(dirname(killed)).filter((name) => !name.endsWith('.lock')))
    copyFileSync(join(dirname(killed), file), join(dirname(copy), file));
  database.close();
  expect(await messagesOf(copy)).toEqual(await messagesOf(path));
});
