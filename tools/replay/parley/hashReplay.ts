import { createHash } from 'node:crypto';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { createOutcome } from '../engine/stateReports.ts';
import type { Notification } from '../engine/sessionAdapter.ts';
import type { ReplayState } from '#shared/replay/adapter.ts';

/** What a hash covers. */
type Hashed = Pick<ReplayState, 'conversation' | 'counts'> & {
  readonly notifications: readonly Notification[];
};

/**
 * Returns `sha256:…` over the canonical JSON of `{conversation, frames, notifications, updates}` (contract §7). The same
 * capture gives the same hash on every machine, with every engine and at every speed.
 */
export function hashReplay(replay: Hashed): string {
  const { frames, updates } = createOutcome(replay);
  const { person, messages } = replay.conversation;
  const hash = createHash('sha256');
  hash.update('{"conversation":{"messages":[');
  for (const piece of messagesJson(toArray(messages))) hash.update(piece);
  const rest = { frames, notifications: replay.notifications, updates };
  hash.update(`],"person":${JSON.stringify(person)}},${canonicalJson(rest).slice(1)}`);
  return `sha256:${hash.digest('hex')}`;
}

/** The JSON is returned in pieces of about this many characters: a long conversation is never in one string. */
const PIECE = 64 * 1024;

/**
 * Encodes messages as the items of a list in canonical JSON (contract §7), in pieces. Most messages have the specification's fields only: copies with
 * sorted fields go through `JSON.stringify`, which takes a third of the time. A message that the conversation lacks becomes `null`.
 */
export function* messagesJson(messages: readonly (Message | undefined)[]): Generator<string, void> {
  let piece = '';
  let separator = '';
  for (const message of messages) {
    const sorted = message === undefined ? null : sortedMessage(message);
    const json = sorted === undefined ? canonicalJson(message && toFrame(message)) : JSON.stringify(sorted);
    piece += `${separator}${json}`;
    separator = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

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
