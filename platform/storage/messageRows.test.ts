import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryParseJson } from '#shared/json.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { insertAccount } from './accountRows.ts';
import { ConversationTail, readNewest, writeMessage } from './messageRows.ts';
import { createDatabase } from './platformDatabase.ts';

/** Creates a database with one account, which has texts of these lengths as its messages. */
async function databaseWith(lengths: readonly number[]) {
  const database = createDatabase(join(await temporaryFolder(), 'platform.sqlite'));
  onTestFinished(() => database.close());
  const messages = lengths.map((length, index) => ({
    id: `${index + 1}`,
    content: [{ category: 'text', text: 'a'.repeat(length) }],
  }));
  insertAccount(
    database,
    { id: 'a', email: 'a@example.org', password: null, hostUser: 'ada', person: 'Ada Lovelace', messages },
    0,
  );
  return database;
}

const idsOf = ({ messages }: ReturnType<typeof readNewest>) => messages.map(({ id }) => id);

test('reads the newest messages that fit, oldest first, with the newest number', async () => {
  const database = await databaseWith([10, 20, 30]);
  const read = (messages: number, characters: number) => readNewest(database, 1, { messages, characters });
  expect(idsOf(read(3, 60))).toEqual(['1', '2', '3']);
  expect(idsOf(read(2, 60))).toEqual(['2', '3']);
  expect(idsOf(read(3, 59))).toEqual(['2', '3']);
  expect(read(2, 60).number).toBe(3);
});

test('reads the newest message whatever its length is', async () => {
  const database = await databaseWith([10, 100]);
  expect(idsOf(readNewest(database, 1, { messages: 5, characters: 50 }))).toEqual(['2']);
});

test('returns no message and the number 0 for an empty conversation', async () => {
  const database = await databaseWith([]);
  expect(readNewest(database, 1, { messages: 5, characters: 50 })).toEqual({ number: 0, messages: [] });
});

test('replaces a message with the same number', async () => {
  const database = await databaseWith([1, 1]);
  writeMessage(database, { account: 1, number: 2, json: '{"id":"new"}' });
  expect(idsOf(readNewest(database, 1, { messages: 5, characters: 50 }))).toEqual(['1', 'new']);
});

const message = (id: string, text: string) => ({ id, modifier: 'ai', content: [{ category: 'text', text }] });

test('a snapshot of the newest message replaces that message only, and updates continue it', () => {
  const tail = new ConversationTail({ person: 'Ada', number: 7, messages: [message('7', 'earlier')] });
  tail.add(JSON.stringify(message('8', 'Hm.')));
  tail.add(JSON.stringify({ person: 'Ada', messages: [message('8', 'Hello')] }));
  const { person, message: changed } = tail.add(JSON.stringify({ text: 'Hello, Ada.' }));
  expect(person).toBe(null);
  expect([changed?.number, tryParseJson(changed?.json() ?? '')]).toEqual([8, message('8', 'Hello, Ada.')]);
});
