import { useCallback, useEffect, useRef, useState } from 'react';
import { currentItem, currentMessage } from '#shared/conversation/applyUpdate.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { clip } from '#shared/formatText.ts';
import { NAME_LENGTH } from './base/longText.ts';
import { hasTime } from './base/runInSlices.ts';
import { sanitizeHtml } from './markup/sanitizeHtml.ts';

/** Time that an announcement stays in the document, in milliseconds: long enough to be read out once, but not found later. */
const SPOKEN_MS = 1000;
/** The newest item is announced when it has not changed for this long, in milliseconds: its text may still grow. */
const SETTLED_MS = 500;

/** Announces new content items of others to screen readers, each once and with its sender. It is visually hidden. */
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
  const before = useRef(conversation);
  /** Whether the newest item still has to be announced. */
  const isPending = useRef(false);

  useEffect(() => {
    const announceNewest = (of: Conversation) => {
      const text = newestText(of);
      if (isPending.current) announce([text]);
      isPending.current &&= text === '';
    };
    const items = newItems(before.current, conversation);
    if (items === null) isPending.current = false;
    else if (items.length > 0) {
      announceNewest(before.current);
      announce(items.slice(0, -1).map(({ item, message }) => spokenText(item, message)));
      isPending.current = true;
    }
    before.current = conversation;
    const rest = setTimeout(() => announceNewest(conversation), SETTLED_MS);
    return () => clearTimeout(rest);
  }, [conversation, announce]);

  return spoken;
}

function newestText(conversation: Conversation): string {
  const item = currentItem(conversation);
  return item === undefined ? '' : spokenText(item, currentMessage(conversation) ?? {});
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
}

/** Maximum number of items that are announced at once. */
const MOST = 20;

/** How far back the last known message is looked for in a snapshot that begins later than before. */
const MOST_SEARCHED = 1000;

/**
 * Returns the content items that were added since `before`, in order: those of new messages, and those appended to the message that was
 * current. A snapshot of the same conversation that is received again, whole or from a later message on, has only the items after the known ones.
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
  return Array.from({ length: Math.max(0, content.length - first) }, (_, i) => ({
    item: itemAt(content, first + i) ?? {},
    message,
  }));
}

/** Longer texts are clipped to this length. In UTF-16 units. */
const SPOKEN_LENGTH = 500;
/** Longer markup is announced as a long page. In UTF-16 units. */
const SPOKEN_HTML_LENGTH = 20_000;

/**
 * Returns the announcement of a new content item: its message's sender and its text. It is empty when the item has no text yet, and when the
 * person wrote the message.
 */
function spokenText(item: ContentItem, { modifier, context }: Pick<Message, 'modifier' | 'context'>): string {
  if (modifier === 'client') return '';
  const text = clip(plainText(item).trim(), SPOKEN_LENGTH);
  return context && text !== '' ? `${clip(context, NAME_LENGTH)}: ${text}` : text;
}

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
