import { z } from 'zod';
import { applyUpdate, currentMessage } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, fromSnapshot, toFrame } from '#shared/conversation/conversation.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { decodeUpdate, type Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { type HistoryLimit, countCharacters } from './conversationLog.ts';
import type { Database } from './platformDatabase.ts';

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

const itemSchema = z.looseObject({
  category: z.string().exactOptional(),
  text: z.string().nullable().exactOptional(),
  html: z.string().nullable().exactOptional(),
  blob: z.string().nullable().exactOptional(),
});

/** A stored message. Unknown fields are kept. */
const messageSchema = z.looseObject({
  id: z.string().exactOptional(),
  modifier: z.string().exactOptional(),
  content: z.array(itemSchema).exactOptional(),
  context: z.string().exactOptional(),
  avatar: z.string().exactOptional(),
  seen: z.boolean().exactOptional(),
});

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

/** A row that a frame has changed. */
export interface ChangedRow {
  /** `null`: the person's name has not changed. */
  readonly person: string | null;
  /** `null`: no message has changed. */
  readonly message: { readonly number: number; readonly json: () => string } | null;
}

/**
 * Converts the frames of one conversation to rows. Updates change only the newest message (spec §6.1), so this keeps only
 * that one.
 */
export class ConversationTail {
  #state: Conversation;
  #number: number;
  /** Number of changed rows that are not on the disk. */
  unwritten = 0;

  /** @param stored the person's name, and the newest message, if any. */
  constructor({ person, number, messages }: NewestMessages & { readonly person: string }) {
    this.#state = fromSnapshot({ person, messages });
    this.#number = number;
  }

  /**
   * Folds the next frame. Returns the row that it changes, whose JSON is made when it is written.
   * @throws {Error} when its text is not an update.
   */
  add(frame: string): ChangedRow {
    const update = decodeUpdate(frame);
    if (update.kind === 'rejected') throw new Error(`a frame is not an update: ${update.where}`);
    const { person, messages } = this.#state;
    const isNew = update.kind === 'message';
    const before = isNew ? { person, messages: emptyVector<never>() } : this.#state;
    const state = applyUpdate(before, update);
    this.#state = state;
    if (isNew) this.#number += 1;
    const message = state.messages === messages ? undefined : currentMessage(state);
    return {
      person: state.person === person ? null : state.person,
      message:
        message === undefined ? null : { number: this.#number, json: () => JSON.stringify(toFrame(message)) },
    };
  }
}

/** The longest time that a part of the check blocks the platform, unless one message takes longer. */
const PART_MS = 10;
const PAUSE_MS = 40;

const doNothing: Cancel = () => undefined;

/** The newest message that was read. */
interface Place {
  readonly account: number;
  readonly number: number;
}

const placeSchema = z.object({ account: z.int(), number: z.int() });

/**
 * Reads all messages in the background, a part at a time, so that a damaged page is noticed before someone needs it. `read` reports the
 * damage and throws. Returns what ends the check.
 */
export function checkMessages(
  read: <T>(query: (database: Database) => T, absent: T) => T,
  clock: Clock,
): Cancel {
  let cancel: Cancel = doNothing;
  const checkAfter = (place: Place) => {
    cancel = clock.after(PAUSE_MS, () => {
      try {
        const next = read((database) => readPart(database, place, clock), null);
        if (next !== null) checkAfter(next);
      } catch {
        // `read` has reported it.
      }
    });
  };
  checkAfter({ account: 0, number: 0 });
  return () => cancel();
}

/** Returns the last message that was read; `null` at the end. */
function readPart(database: Database, { account, number }: Place, clock: Clock): Place | null {
  const end = clock.now() + PART_MS;
  // The length makes SQLite read the whole text.
  const statement = database.prepare(
    'SELECT account, number, length(json) FROM messages WHERE (account, number) > (?, ?) ORDER BY account, number',
  );
  try {
    for (const row of statement.iterate([account, number]))
      if (clock.now() >= end) return placeSchema.parse(row);
    return null;
  } finally {
    statement.finalize();
  }
}
