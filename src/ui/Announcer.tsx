import { useCallback, useEffect, useRef, useState } from 'react';
import { currentItem, currentMessage } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, type Message, emptyConversation } from '#shared/conversation/conversation.ts';
import { formatOf, markdownRuns, sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { clip } from '#shared/formatText.ts';
import { NAME_LENGTH } from './base/longText.ts';
import { hasTime } from './base/runInSlices.ts';
import { isGrowing } from './markdown/runTexts.ts';
import { type ReadMarkdown, createMarkdownReader } from './markdown/markdownText.ts';
import { sanitizeHtml } from './markup/sanitizeHtml.ts';

/** Time that an announcement stays in the document, in milliseconds: long enough to be read out once, but not found later. */
const SPOKEN_MS = 1000;
/** The newest item is announced when it has not changed for this long, in milliseconds: its text may still grow. */
const SETTLED_MS = 500;

/**
 * Announces new content items of others to screen readers, each once and with its sender; an answer in Markdown block by block, as it is shown. It is
 * visually hidden.
 */
export function Announcer({ conversation }: { readonly conversation: Conversation }) {
  const spoken = useAnnouncements(conversation);
  return (
    <div className="visually-hidden" aria-live="polite" aria-relevant="additions">
      {spoken.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

interface Announcement {
  readonly id: number;
  readonly text: string;
}

function useAnnouncements(conversation: Conversation): readonly Announcement[] {
  const [spoken, announce] = useSpoken();
  // At first none: a conversation that is there when the window opens, as after a reload, is not new.
  const before = useRef<Conversation>(emptyConversation);
  /** What was announced of the newest item. */
  const announced = useRef(NOTHING);
  const [read] = useState(createMarkdownReader);

  useEffect(() => {
    const announceNewest = (of: Conversation, isComplete: boolean) => {
      const newest = newestItem(of);
      const parts = newest === undefined ? [] : partsOf(newest, read);
      const { texts, now } = partsToAnnounce(parts, announced.current, isComplete);
      const isBegun = announced.current.parts > 0;
      if (newest !== undefined) announce(isBegun ? texts.map(clipSpoken) : withSender(newest, texts));
      announced.current = now;
    };
    const announceNew = () => {
      const items = newItems(before.current, conversation);
      if (items === null) announced.current = allOf(conversation, read);
      else if (items.length > 0) {
        announceNewest(before.current, true);
        announce(items.slice(0, -1).flatMap((one) => withSender(one, partsOf(one, read))));
        announced.current = NOTHING;
      }
      announceNewest(conversation, false);
      before.current = conversation;
    };
    // In a task of its own: that in which an update arrives has work enough.
    setTimeout(announceNew);
    const rest = setTimeout(() => announceNewest(conversation, true), SETTLED_MS);
    return () => clearTimeout(rest);
  }, [conversation, announce, read]);

  return spoken;
}

/** What was announced of an item. */
interface Announced {
  /** The number of its parts. */
  readonly parts: number;
  /** The text of the last one, which may still grow. */
  readonly lastText: string;
}

const NOTHING: Announced = { parts: 0, lastText: '' };

/**
 * Returns the texts that have to be announced of an item that grows: its new parts, and what was added to the last part that was announced.
 * @param isComplete whether its last part is complete; otherwise that part waits
 */
export function partsToAnnounce(
  parts: readonly string[],
  { parts: count, lastText }: Announced,
  isComplete: boolean,
): { readonly texts: readonly string[]; readonly now: Announced } {
  const end = Math.max(count, isComplete ? parts.length : parts.length - 1);
  const lastNow = parts[count - 1] ?? '';
  const isGrown = (isComplete || count < parts.length) && lastNow.startsWith(lastText);
  const added = isGrown ? lastNow.slice(lastText.length).trim() : '';
  const texts = count === 0 ? parts.slice(0, end) : [added, ...parts.slice(count, end)];
  const isUnchanged = end === count && !isGrown;
  return { texts, now: { parts: end, lastText: isUnchanged ? lastText : (parts[end - 1] ?? '') } };
}

/** Returns that all of the newest item was announced. */
function allOf(conversation: Conversation, read: ReadMarkdown): Announced {
  const newest = newestItem(conversation);
  const parts = newest === undefined ? [] : partsOf(newest, read);
  return { parts: parts.length, lastText: parts.at(-1) ?? '' };
}

function newestItem(conversation: Conversation): NewItem | undefined {
  const [message, item] = [currentMessage(conversation), currentItem(conversation)];
  return item && message && { item, message, index: (message.content?.length ?? 0) - 1 };
}

/** Returns the current announcements, and a function that adds some. */
function useSpoken() {
  const [spoken, setSpoken] = useState<readonly Announcement[]>([]);
  const ids = useRef(0);
  const announce = useCallback((texts: readonly string[]) => {
    const added = texts.filter((text) => text !== '').map((text) => ({ id: ids.current++, text }));
    if (added.length === 0) return;
    setSpoken((already) => [...already, ...added]);
    setTimeout(() => setSpoken((already) => already.filter((one) => !added.includes(one))), SPOKEN_MS);
  }, []);
  return [spoken, announce] as const;
}

/** A new content item and its message. */
interface NewItem {
  readonly item: ContentItem;
  readonly message: Message;
  /** The index of the item in the message. */
  readonly index: number;
}

/** Maximum number of items that are announced at once. */
const MOST = 20;

/** How far back the last known message is looked for in a snapshot that begins later than before. */
const MOST_SEARCHED = 1000;

/**
 * Returns the content items that were added since `before`, in order: those of new messages, and those appended to the message that was
 * current. An item that continues a run of items of one format is not new: the run has grown. A snapshot of the same conversation that is received again, whole or from a later message on, has only the items after the known ones.
 * Returns `null` for another conversation (a first snapshot, or another person's): its items are not new.
 */
export function newItems(before: Conversation, after: Conversation): NewItem[] | null {
  const known = indexOfLastKnown(before, after);
  if (known === undefined) return null;
  const added =
    known === -1
      ? []
      : itemsFrom(itemAt(after.messages, known), currentMessage(before)?.content?.length ?? 0);
  const first = Math.max(known + 1, after.messages.length - MOST);
  const messages = Array.from({ length: Math.max(0, after.messages.length - first) }, (_, index) =>
    itemAt(after.messages, first + index),
  );
  return [...added, ...messages.flatMap((message) => itemsFrom(message, 0))].slice(-MOST);
}

/** Returns where the last message of `before` is in `after`: -1 when there was none, `undefined` for another conversation. */
function indexOfLastKnown(before: Conversation, after: Conversation): number | undefined {
  const last = currentMessage(before);
  if (last === undefined) {
    // A snapshot of several messages may be a first one; a message that is received is one.
    return before.person === after.person && after.messages.length <= 1 ? -1 : undefined;
  }
  const isLast = (index: number) => isSame(last, itemAt(after.messages, index));
  const index = before.messages.length - 1;
  if (isLast(index)) return index;
  if (last.id === undefined || before.person !== after.person) return undefined;
  const newest = Math.min(index, after.messages.length) - 1;
  for (let at = newest; at >= 0 && at > newest - MOST_SEARCHED; at--) if (isLast(at)) return at;
  return undefined;
}

/** Returns whether two messages are the same one at different times. Without an id, their first items must be equal. */
function isSame(before: Message, after: Message | undefined): boolean {
  if (after === undefined || before.id !== after.id) return false;
  if (before.id !== undefined || before.content === undefined || before.content.length < 2) return true;
  const [first, now] = [before, after].map(({ content }) => content && itemAt(content, 0));
  return first?.category === now?.category && first?.text === now?.text;
}

function itemsFrom(message: Message | undefined, start: number): NewItem[] {
  const content = message?.content;
  if (message === undefined || content === undefined) return [];
  const first = Math.max(start, content.length - MOST);
  const items = Array.from({ length: Math.max(0, content.length - first) }, (_, i) => ({
    item: itemAt(content, first + i) ?? {},
    message,
    index: first + i,
  }));
  return items.filter(({ item, index }) => {
    const format = formatOf(item);
    return format === null || format !== formatOf(itemAt(content, index - 1) ?? {});
  });
}

/** Longer texts are clipped to this length. In UTF-16 units. */
const SPOKEN_LENGTH = 500;
/** Longer markup is announced as a long page. In UTF-16 units. */
const SPOKEN_HTML_LENGTH = 20_000;

/**
 * Returns the parts of a content item that are announced one by one: its text, or the blocks of the run of Markdown to which it belongs. There are none
 * when the item has no text yet, when the person wrote the message, and of reasoning, which is collapsed.
 */
function partsOf({ item, message, index }: NewItem, read: ReadMarkdown): readonly string[] {
  const format = formatOf(item);
  if (message.modifier === 'client' || format === 'reasoning') return [];
  if (format === null) return [plainText(item).trim()].filter((text) => text !== '');
  const content = message.content ?? emptyVector();
  const run = markdownRuns(content).find(({ end }) => index < end);
  if (run === undefined) return [];
  const blocks = Array.from(read(sourceOfRun(content, run).source, isGrowing(message, run)));
  return blocks.map(({ text }) => text.trim()).filter((text) => text !== '');
}

/** Returns the announcements of a new item, the first one with the sender of its message. */
function withSender({ message: { context } }: NewItem, texts: readonly string[]): readonly string[] {
  const sender = context ? `${clip(context, NAME_LENGTH)}: ` : '';
  return texts.map((text, at) => (at === 0 ? sender : '') + clipSpoken(text));
}

const clipSpoken = (text: string): string => clip(text, SPOKEN_LENGTH);

function plainText({ category, text, html }: ContentItem): string {
  const kind = displayedCategory(category);
  switch (kind) {
    case 'text':
    case 'audio':
      return text ?? '';
    case 'html':
      return htmlText(html ?? '');
    case 'image':
      return `Image: ${text ?? ''}`;
    case 'file':
      return `File: ${text ?? ''}`;
    default:
      return kind satisfies never;
  }
}

/** Returns the text of markup, or a replacement when extracting it would take long. */
function htmlText(html: string): string {
  const fragment = html.length <= SPOKEN_HTML_LENGTH && hasTime() ? sanitizeHtml(html) : 'tooLarge';
  return fragment === 'tooLarge' ? 'A long page' : (fragment?.textContent ?? '');
}
