import type { Conversation } from '#shared/conversation/conversation.ts';
import { toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { escapeControls } from '../base/visibleText.ts';
import { pluralize } from '#shared/pluralize.ts';
import { itemText } from '../base/describeUpdate.ts';

/** Formats the conversation for people, one message at a time: the sender, then each content item. */
export function* transcript({ person, messages }: Conversation): Generator<string, void> {
  const name = person === null ? 'an unknown person' : escapeControls(person);
  yield `\nConversation of ${name}, ${pluralize(messages.length, 'message')}\n`;
  for (let i = 0; i < messages.length; i++) {
    const message = itemAt(messages, i);
    if (message === undefined) continue;
    const { modifier = '', context = '', content = [] } = toFrame(message);
    const who = [context, context === '' ? modifier : `(${modifier})`]
      .filter((part) => part !== '')
      .join(' ');
    yield `\n  ${escapeControls(who)}\n${content.map(itemLines).join('')}`;
  }
}

/** Formats an item, indented; its line breaks stay. */
const itemLines = (item: ContentItem): string =>
  itemText(item)
    .split(/\r?\n/u)
    .map((line) => `    ${escapeControls(line)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
