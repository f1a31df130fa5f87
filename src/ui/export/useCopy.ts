import { type RefObject, useEffect } from 'react';
import { type Conversation, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { formatOf } from '#shared/conversation/markdownRuns.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type SelectedRange, selectedRange } from './selectedRange.ts';
import type { Step } from './createSteps.ts';
import { messageElement } from './messageElement.ts';
import { type MessagePart, WHOLE_MESSAGE, messageText } from './messageText.ts';

/** Copies a part of the conversation that is long, or that has not arrived completely. */
export type CopyLater = (range: SelectedRange) => void;

/**
 * Copies a selection over several rows from the state: most rows of a long conversation are not in the document.
 * @param copyLater `undefined` in a picture of a window, where every copy is complete at the end of the event.
 */
export function useCopy(
  conversation: Conversation,
  log: RefObject<HTMLElement | null>,
  copyLater: CopyLater | undefined,
): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.matches('input, textarea');
      if (log.current === null || isInField || event.defaultPrevented) return;
      const range = selectedRange(log.current, conversation.messages);
      if (range === null) return;
      const isLater = copyLater !== undefined && isLong(conversation, range);
      const copied = isLater ? null : copiedConversation(conversation, range);
      if (copied?.text === '') return;
      event.preventDefault();
      if (copied === null) copyLater?.(range);
      else {
        event.clipboardData?.setData('text/plain', copied.text);
        event.clipboardData?.setData('text/html', copied.html);
      }
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [conversation, log, copyLater]);
}

/** More messages are copied after the event. */
const MESSAGES = 1000;
/** More items are copied after the event. */
const ITEMS = 2000;
/** Longer markup and Markdown is copied after the event. In UTF-16 units. */
const MARKUP_LENGTH = 500_000;

/** Returns whether a copy would block the window, or whether some of its messages have not arrived. */
function isLong(conversation: Conversation, { from, to }: SelectedRange): boolean {
  if (to.row - from.row >= MESSAGES || !hasArrived(conversation, from.row)) return true;
  let items = 0;
  let length = 0;
  for (let { row } = from; row <= to.row; row++) {
    const content = itemAt(conversation.messages, row)?.content ?? emptyVector();
    items += content.length;
    if (items > ITEMS) return true;
    for (let at = 0; at < content.length; at++) length += markupLength(itemAt(content, at) ?? {});
  }
  return length > MARKUP_LENGTH;
}

const markupLength = (item: ContentItem): number =>
  (formatOf(item) === null ? item.html : item.text)?.length ?? 0;

/** Returns whether the messages from an index on have arrived in the window; the newest ones arrive first. */
export const hasArrived = ({ messages }: Conversation, from: number): boolean =>
  itemAt(messages, from) !== MISSING_MESSAGE;

/** Yields a part of the conversation as plain text, with an empty line between messages. */
export async function* conversationText(
  { messages }: Conversation,
  range: SelectedRange,
  step: Step,
): AsyncGenerator<string> {
  const { from, to } = range;
  let before = '';
  for (let row = from.row; row <= to.row; row++) {
    const text = messageText(itemAt(messages, row) ?? {}, partOf(row, range));
    if (text !== '') {
      yield before + text;
      before = '\n\n';
    }
    await step(row - from.row, to.row - from.row + 1);
  }
}

/** A copied part of the conversation, in two forms. */
interface Copied {
  readonly text: string;
  readonly html: string;
}

/** Returns a part of the conversation as plain text and as HTML. */
function copiedConversation({ messages }: Conversation, range: SelectedRange): Copied {
  const texts: string[] = [];
  const elements: string[] = [];
  for (let { row } = range.from; row <= range.to.row; row++) {
    const message = itemAt(messages, row) ?? {};
    const part = partOf(row, range);
    const text = messageText(message, part);
    texts.push(text);
    if (text !== '') elements.push(messageElement(message, { part }).outerHTML);
  }
  return { text: texts.filter((text) => text !== '').join('\n\n'), html: elements.join('\n') };
}

const partOf = (row: number, { from, to }: SelectedRange): MessagePart => ({
  from: row === from.row ? from : WHOLE_MESSAGE.from,
  to: row === to.row ? to : WHOLE_MESSAGE.to,
});
