import { clip } from '#shared/formatText.ts';
import type { Action } from '@reduxjs/toolkit';
import { createHmac, randomBytes } from 'node:crypto';
import { snapshotApplied, updateApplied } from '#shared/actions/sessionActions.ts';
import type { BlobReference } from '#shared/conversation/blobReference.ts';
import { type Message as FoldedMessage, toFrame, wordsOf } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { imageType } from '#shared/image/mediaType.ts';
import { isOfType } from '#shared/isOfType.ts';
import {
  NEWEST_PART_LENGTH,
  WINDOW_MESSAGE_LENGTH,
  INLINE_BLOB_LENGTH,
  PART_BLOBS_LENGTH,
  PART_LENGTH,
} from '#shared/limits.ts';
import type { Snapshot, ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { type SharedState, sharedPart } from '#shared/store/rootReducer.ts';

/**
 * Returns an action as the windows receive it: a snapshot with its newest messages only, a long blob as a reference. All
 * other actions are returned unchanged.
 */
export function actionForWindows(action: Action, onTooLong?: OnTooLong): Action {
  if (!isOfType(action, updateApplied)) return action;
  const { update, bytes, tick, known = 0 } = action.payload;
  if (update.kind === 'snapshot')
    return { ...action, ...snapshotApplied({ ...partsForWindows(update.frame, onTooLong), tick, known }) };
  const notice = bytes > WINDOW_MESSAGE_LENGTH ? tooLongUpdate(update) : undefined;
  if (notice !== undefined) {
    onTooLong?.();
    return withFrame(action, notice.frame);
  }
  if (update.kind === 'message') return withFrame(action, messageForWindows(update.frame));
  if (update.kind === 'content') return withFrame(action, itemForWindows(update.frame));
  return action;
}

function partsForWindows(snapshot: Snapshot, onTooLong?: OnTooLong) {
  const { person, messages = [] } = snapshot;
  const { length } = messages;
  const at = (index: number) => messages[index] ?? {};
  const newest = partForWindows({ length, at }, { before: length, limit: NEWEST_PART_LENGTH, onTooLong });
  return { person: nameForWindows(person), newest, words: wordsOf(snapshot) };
}

function withFrame(action: ReturnType<typeof updateApplied>, frame: object): Action {
  const { payload } = action;
  if (frame === payload.update.frame) return action;
  return Object.assign({}, action, { payload: { ...payload, update: { ...payload.update, frame } } });
}

const TOO_LONG = 'This message is too long to be shown. Save the session to read it in a file.';
const NOTICE: ContentItem = { category: 'text', text: TOO_LONG, html: null, blob: null };
/** Identifiers and names are clipped to this length. */
const CLIPPED = 500;

/** The log message for a message that is too long. */
export const TOO_LONG_FOR_WINDOWS = 'a message is too long for the windows: they show a notice in its place';

/** Called when a window receives a notice in place of a message. */
type OnTooLong = () => void;

/** Returns the JSON of a message as a window receives it; of a notice when the message is too long. */
function messageJson(message: Message, onTooLong?: OnTooLong): string {
  const json = jsonWithinLimit(messageForWindows(message));
  if (json === undefined) onTooLong?.();
  return json ?? JSON.stringify(noticeOf(message));
}

/** Returns a notice for an update that is too long for a window, otherwise `undefined`. A snapshot is sent in parts. */
function tooLongUpdate(update: Update): Update | undefined {
  switch (update.kind) {
    case 'message':
      if (jsonWithinLimit(messageForWindows(update.frame)) !== undefined) return undefined;
      return { kind: 'message', frame: noticeOf(update.frame) };
    case 'content':
      if (jsonWithinLimit(itemForWindows(update.frame)) !== undefined) return undefined;
      return { kind: 'content', frame: NOTICE };
    case 'text':
      return { kind: 'text', frame: { text: TOO_LONG } };
    case 'name':
      return { kind: 'name', frame: { name: clip(update.frame.name, CLIPPED) } };
    case 'context':
      return { kind: 'context', frame: { context: clip(update.frame.context, CLIPPED) } };
    case 'snapshot':
    case 'notification':
      return undefined;
    default:
      return update satisfies never;
  }
}

/** Returns a name, clipped when it is too long for a window. */
const nameForWindows = <T extends string | null>(name: T): T | string =>
  name !== null && name.length > WINDOW_MESSAGE_LENGTH ? clip(name, CLIPPED) : name;

const noticeOf = ({ id = '', modifier = '' }: Message): Message => ({
  id: clip(id, CLIPPED),
  modifier: clip(modifier, CLIPPED),
  content: [NOTICE],
});

function jsonWithinLimit(value: object): string | undefined {
  try {
    const json = JSON.stringify(value);
    return json.length > WINDOW_MESSAGE_LENGTH ? undefined : json;
  } catch (error) {
    // The JSON exceeds the maximum length of a string.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A key of this run, so that other programs cannot derive a blob's address from its bytes. */
const KEY = randomBytes(32);
/** How many characters of the base64 a reference contains: enough for every media type. */
const HEAD_LENGTH = 32;

/** The references of content items: a blob is hashed once, however often it is fetched. */
const cache = new WeakMap<ContentItem, BlobReference>();

/** Returns whether a blob stays in main. */
const isLong = (blob: string | null | undefined): blob is string =>
  typeof blob === 'string' && blob.length > INLINE_BLOB_LENGTH;

/** Decodes base64; returns `null` when it is not valid. Accepts what `atob` accepts in a window, and is faster. */
export function decodeBlob(blob: string): Buffer | null {
  const text = blob.replace(/[\t\n\f\r ]+/g, '');
  const digits = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits)) return null;
  return Buffer.from(digits, 'base64');
}

/** Returns the reference to a blob; equal blobs have equal references. */
export function blobReference(blob: string): BlobReference {
  const bytes = decodeBlob(blob);
  const hash = bytes && createHmac('sha256', KEY).update(bytes).digest('hex');
  return { head: blob.slice(0, HEAD_LENGTH), hash, image: bytes && imageType(blob) };
}

/** Returns the reference to an item's blob; caches it. */
export function itemBlobReference(item: ContentItem): BlobReference {
  const reference = cache.get(item) ?? blobReference(item.blob ?? '');
  cache.set(item, reference);
  return reference;
}

/** Returns a content item as a window receives it. */
export const itemForWindows = (item: ContentItem): object =>
  isLong(item.blob) ? { ...item, blob: itemBlobReference(item) } : item;

/** Returns a message as a window receives it: long blobs are references. */
export function messageForWindows(message: Message): object {
  const { avatar, content } = message;
  const hasLong = isLong(avatar) || content?.some(({ blob }) => isLong(blob)) === true;
  if (!hasLong) return message;
  return {
    ...message,
    ...(isLong(avatar) && { avatar: blobReference(avatar) }),
    ...(content && { content: content.map(itemForWindows) }),
  };
}

/** Returns the total length of the blobs that stay in main, in characters of base64. */
const longBlobsLength = ({ avatar, content = [] }: Message): number =>
  [avatar, ...content.map(({ blob }) => blob)]
    .filter(isLong)
    .reduce((length, blob) => length + blob.length, 0);

interface Messages {
  readonly length: number;
  /** The message at an index below the length. */
  readonly at: (index: number) => Message;
}

/** Which messages a part contains. */
interface Range {
  /** The part ends before this index. */
  readonly before: number;
  /** The maximum length, in characters; one message is always included. */
  readonly limit: number;
  readonly onTooLong?: OnTooLong | undefined;
}

/** Returns the JSON of a `ConversationPart`: as many messages before an index as fit. */
export function partForWindows({ length, at }: Messages, { before, limit, onTooLong }: Range): string {
  const texts: string[] = [];
  let from = before;
  for (let size = 0, blobs = 0; from > 0 && size < limit && blobs < PART_BLOBS_LENGTH;) {
    from -= 1;
    const message = at(from);
    const text = messageJson(message, onTooLong);
    texts.push(text);
    size += text.length;
    blobs += longBlobsLength(message);
  }
  return `{"length":${length},"from":${from},"messages":[${texts.toReversed().join(',')}]}`;
}

/** The state that a window can fetch: the shared part, and the number of the action that began its conversation. */
type FetchableState = SharedState & { readonly conversationStart: number };

/** Returns the state as JSON for `fetchState`, with the newest messages. */
export function stateText(state: FetchableState, onTooLong?: OnTooLong): string {
  const { conversation, conversationStart: start } = state;
  const shared = { ...sharedPart(state), conversation: { person: nameForWindows(conversation.person) } };
  const { messages } = conversation;
  const range = { before: messages.length, limit: NEWEST_PART_LENGTH, onTooLong };
  const newest = partBefore(messages, range);
  return `{"state":${JSON.stringify(shared)},"start":${start},"newest":${newest}}`;
}

/** Returns the response to `fetchPart`; `null` when the requested part does not exist. */
export function partText(
  { conversation, conversationStart }: FetchableState,
  { start, before }: { readonly start: unknown; readonly before: unknown },
  onTooLong?: OnTooLong,
): string | null {
  const { messages } = conversation;
  if (start !== conversationStart || typeof before !== 'number') return null;
  if (!Number.isInteger(before) || before < 1 || before > messages.length) return null;
  return partBefore(messages, { before, limit: PART_LENGTH, onTooLong });
}

const partBefore = (messages: Vector<FoldedMessage>, range: Range) =>
  partForWindows({ length: messages.length, at: (index) => toFrame(itemAt(messages, index) ?? {}) }, range);
