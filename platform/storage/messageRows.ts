import { z } from 'zod';
import type { Message } from '#shared/protocol/update.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { messageSchema } from './messageSchema.ts';
import { type HistoryLimit, countCharacters } from './newestMessages.ts';
import type { Database } from './sqlite.ts';

/** A message of a conversation. Numbers begin with 1. */
interface MessageRow {
  readonly account: number;
  readonly number: number;
  readonly json: string;
}

/** Inserts a message, or replaces it. */
export function writeMessage(database: Database, { account, number, json }: MessageRow): void {
  // As bytes, a message with a picture is written in half of the time.
  database.run(
    `INSERT INTO messages (account, number, json) VALUES (?, ?, CAST(? AS TEXT))
       ON CONFLICT (account, number) DO UPDATE SET json = excluded.json`,
    [account, number, Buffer.from(json)],
  );
}

const rowSchema = z.object({ number: z.int(), json: z.string() });

/** The newest messages of a conversation, and the number of the last one, which is 0 when there is none. */
interface NewestMessages {
  readonly number: number;
  readonly messages: readonly Message[];
}

/** Reads the newest messages that fit. */
export function readNewest(database: Database, account: number, limit: HistoryLimit): NewestMessages {
  const messages: Message[] = [];
  let newest = 0;
  let characters = 0;
  const statement = database.prepare(
    'SELECT number, json FROM messages WHERE account = ? ORDER BY number DESC',
  );
  try {
    for (const row of statement.iterate(account)) {
      const { number, json } = rowSchema.parse(row);
      const message = messageSchema.parse(tryParseJson(json));
      newest ||= number;
      characters += countCharacters([message]);
      if (messages.length === limit.messages || (characters > limit.characters && messages.length > 0)) break;
      messages.push(message);
    }
  } finally {
    statement.finalize();
  }
  return { number: newest, messages: messages.toReversed() };
}
