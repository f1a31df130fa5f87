import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { Step } from '../export/createSteps.ts';
import { messageElement } from '../export/messageElement.ts';
import { type MessagePart, WHOLE_MESSAGE, messageText } from '../export/messageText.ts';
import type { SelectedRange } from './selectedRange.ts';

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
export function copiedConversation({ messages }: Conversation, range: SelectedRange): Copied {
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
