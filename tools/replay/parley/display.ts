import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import {
  displayedCategory,
  displayedText,
  initialsOf,
  positionOf,
  sideOf,
} from '#shared/conversation/display.ts';
import { type Vector, emptyVector, itemAt, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type Change, fieldPath, itemPath, lengthChange } from '../diff/valueDiff.ts';
import { differingIndexes } from '../diff/stateDiff.ts';

/** What the window derives from the conversation, in the form of goldens. */
export interface Display {
  /** The person's initials. */
  readonly initials: string;
  readonly messages: readonly DisplayedMessage[];
}

interface DisplayedMessage {
  readonly side: string;
  /** For each item its position and its display, and the displayed text when that is not the item's own: `last text ...`. */
  readonly items: readonly string[];
}

/** Returns the display of a conversation. */
export const displayOf = ({ person, messages }: Conversation): Display => ({
  initials: initialsOf(person ?? ''),
  messages: toArray(messages).map(displayedMessage),
});

/** Adds how the display differs between two conversations. The cost depends on what changed, as with `stateDiff`. */
export function addDisplayDiff(before: Conversation, after: Conversation, into: Change[]): void {
  if (before.person !== after.person) {
    const path = 'display.initials';
    const initials = { before: initialsOf(before.person ?? ''), after: initialsOf(after.person ?? '') };
    if (initials.before !== initials.after) into.push({ path, ...initials });
  }
  const path = 'display.messages';
  for (const index of differingIndexes(before.messages, after.messages)) {
    const [old, message] = [itemAt(before.messages, index), itemAt(after.messages, index)];
    if (message !== undefined) compareMessages({ path: itemPath(path, index), old, message, into });
  }
  if (after.messages.length < before.messages.length) {
    into.push(lengthChange({ path, before: before.messages, after: after.messages }));
  }
}

const contentOf = ({ content }: Message): Vector<ContentItem> => content ?? emptyVector();

function displayedMessage(message: Message): DisplayedMessage {
  const content = contentOf(message);
  return {
    side: sideOf(message.modifier),
    items: toArray(content).map((item, index) => displayedItem(item, index, content.length)),
  };
}

function displayedItem(item: ContentItem, index: number, count: number): string {
  const kind = displayedCategory(item.category);
  const shown = `${positionOf(index, count)} ${kind}`;
  if (kind === 'html' || kind === 'image') return shown;
  const text = displayedText(item.text);
  return text === item.text ? shown : `${shown} ${text}`;
}

interface Messages {
  readonly path: string;
  readonly old: Message | undefined;
  readonly message: Message;
  readonly into: Change[];
}

function compareMessages({ path, old, message, into }: Messages): void {
  if (old === undefined) {
    into.push({ path, before: undefined, after: displayedMessage(message) });
    return;
  }
  const [before, after] = [sideOf(old.modifier), sideOf(message.modifier)];
  if (before !== after) into.push({ path: fieldPath(path, 'side'), before, after });
  compareItems({ path: fieldPath(path, 'items'), old: contentOf(old), content: contentOf(message), into });
}

function displayedAt(content: Vector<ContentItem>, index: number): string | undefined {
  const item = itemAt(content, index);
  return item && displayedItem(item, index, content.length);
}

interface Contents {
  readonly path: string;
  readonly old: Vector<ContentItem>;
  readonly content: Vector<ContentItem>;
  readonly into: Change[];
}

function compareItems({ path, old, content, into }: Contents): void {
  for (const index of affectedItems(old, content)) {
    const [before, after] = [displayedAt(old, index), displayedAt(content, index)];
    if (before !== after) into.push({ path: itemPath(path, index), before, after });
  }
  if (content.length < old.length) into.push(lengthChange({ path, before: old, after: content }));
}

/** Returns the indexes of the items whose display can differ: other items and, with another length, the first and the last ones. */
function affectedItems(old: Vector<ContentItem>, content: Vector<ContentItem>): number[] {
  const indexes = differingIndexes(old, content);
  if (old.length === content.length) return indexes;
  const ends = [0, old.length - 1, content.length - 1];
  return [...new Set([...ends, ...indexes])]
    .filter((index) => index >= 0 && index < content.length)
    .sort((a, b) => a - b);
}
