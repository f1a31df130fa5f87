import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { createOutcome } from '../engine/stateReports.ts';
import type { Replay } from './parley.ts';

/** What a hash covers. */
type Hashed = Pick<Replay, 'conversation' | 'counts' | 'notifications'>;

/**
 * Returns `sha256:…` over the canonical JSON of `{conversation, frames, notifications, updates}` (contract §7). The same
 * capture gives the same hash on every machine, with every engine and at every speed.
 */
export function hashReplay(replay: Hashed): string {
  const hashing = hashSteps(replay);
  for (;;) {
    const { done, value } = hashing.next();
    if (done) return value;
  }
}

/** Computes {@link hashReplay} in pieces; the event loop runs between them, so that signals are handled. */
export async function hashInPieces(replay: Hashed): Promise<string> {
  const hashing = hashSteps(replay);
  for (;;) {
    const { done, value } = hashing.next();
    if (done) return value;
    await setImmediate();
  }
}

function* hashSteps(replay: Hashed): Generator<void, string> {
  const { frames, updates } = createOutcome(replay);
  const { person, messages } = replay.conversation;
  const hash = createHash('sha256');
  hash.update('{"conversation":{"messages":[');
  const encoder = messagesEncoder();
  for (let i = 0; i < messages.length; i++) {
    const piece = encoder.add(itemAt(messages, i));
    if (piece === '') continue;
    hash.update(piece);
    yield;
  }
  const rest = { frames, notifications: replay.notifications, updates };
  hash.update(`${encoder.rest()}],"person":${JSON.stringify(person)}},${canonicalJson(rest).slice(1)}`);
  return `sha256:${hash.digest('hex')}`;
}

/** Encodes the messages of a conversation, in order, as the items of a JSON list. */
interface MessagesEncoder {
  /** Takes the next message, or `undefined` for one that the conversation lacks. Returns the JSON of several messages, or `''` while they are few. */
  add(message: Message | undefined): string;
  /** Returns the JSON of the remaining messages. */
  rest(): string;
}

/** The JSON is returned in pieces of about this many characters: a long conversation is never in one string. */
const PIECE = 64 * 1024;
/** About the number of characters of a message without its texts. */
const FIELDS = 100;

/**
 * Creates an encoder of canonical JSON (contract §7). Most messages have the specification's fields only: copies with sorted fields go
 * through `JSON.stringify`, which takes a third of the time, and many at a time, which takes three quarters of that.
 */
export function messagesEncoder(): MessagesEncoder {
  let piece = '';
  let isFirst = true;
  let characters = 0;
  /** The messages after those of the piece. */
  let sorted: (object | null)[] = [];
  const addJson = (json: string) => {
    piece += isFirst ? json : `,${json}`;
    isFirst = false;
  };
  const encodeSorted = () => {
    if (sorted.length > 0) addJson(JSON.stringify(sorted).slice(1, -1));
    sorted = [];
  };
  const rest = (): string => {
    encodeSorted();
    const text = piece;
    piece = '';
    characters = 0;
    return text;
  };
  return {
    add(message) {
      const next = message === undefined ? null : sortedMessage(message);
      if (next === undefined) {
        encodeSorted();
        const json = canonicalJson(message && toFrame(message));
        addJson(json);
        characters += json.length;
      } else {
        sorted.push(next);
        characters += FIELDS + (message ? textLength(message) : 0);
      }
      return characters < PIECE ? '' : rest();
    },
    rest,
  };
}

/** Returns the number of characters in a message that has the specification's fields only. */
function textLength({ avatar, content, context, id, modifier }: Message): number {
  let sum = lengthOf(avatar) + lengthOf(context) + lengthOf(id) + lengthOf(modifier);
  const count = content?.length ?? 0;
  for (let i = 0; i < count; i++) {
    const item = content && itemAt(content, i);
    if (item === undefined) continue;
    sum += FIELDS + lengthOf(item.text) + lengthOf(item.html) + lengthOf(item.blob) + lengthOf(item.category);
  }
  return sum;
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** Returns a copy with sorted fields, or `undefined` when a field is not the specification's or may need sorting itself. */
function sortedMessage(message: Message): object | undefined {
  const { avatar, content, context, id, modifier, seen } = message;
  for (const name in message) if (!isMessageField(name)) return undefined;
  if (!(isPlain(avatar) && isPlain(context) && isPlain(id) && isPlain(modifier) && isPlain(seen)))
    return undefined;
  const items = content && sortedItems(content);
  if (content !== undefined && items === undefined) return undefined;
  return { avatar, content: items, context, id, modifier, seen };
}

function sortedItems(content: Vector<ContentItem>): object[] | undefined {
  const items: object[] = [];
  for (let i = 0; i < content.length; i++) {
    const item = sortedItem(itemAt(content, i) ?? {});
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function sortedItem(item: ContentItem): object | undefined {
  const { blob, category, html, text } = item;
  for (const name in item) if (!isItemField(name)) return undefined;
  const arePlain = isPlain(blob) && isPlain(category) && isPlain(html) && isPlain(text);
  return arePlain ? { blob, category, html, text } : undefined;
}

// Comparisons, not a set: there are millions of fields.
const isMessageField = (name: string) =>
  name === 'id' ||
  name === 'modifier' ||
  name === 'content' ||
  name === 'context' ||
  name === 'avatar' ||
  name === 'seen';

const isItemField = (name: string) =>
  name === 'category' || name === 'text' || name === 'html' || name === 'blob';

/** Returns whether a value is plain; also `undefined`: `JSON.stringify` leaves that out, as the canonical form does. */
const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
