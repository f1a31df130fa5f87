import type { ContentItem, Update } from '../protocol/update.ts';
import { type Conversation, type Message, fromSnapshot, toMessage } from './conversation.ts';
import { append, emptyVector, last, replaceLast } from './vector.ts';

/**
 * The fold: one update applied to the conversation (spec §6.1). Pure and total; an update that changes nothing
 * gives back the same reference, and so does every part that it leaves alone.
 */
export function applyUpdate(conversation: Conversation, update: Update): Conversation {
  switch (update.kind) {
    case 'snapshot':
      return fromSnapshot(update.frame);
    case 'name':
      return withPerson(conversation, update.frame.name);
    case 'message':
      return {
        person: conversation.person,
        messages: append(conversation.messages, toMessage(update.frame)),
      };
    case 'content':
      return withContent(conversation, update.frame);
    case 'context':
      return withContext(conversation, update.frame.context);
    case 'text':
      return withText(conversation, update.frame.text);
    case 'notification':
      return conversation;
    default:
      return update satisfies never;
  }
}

/**
 * Whether the update finds what it is about: a content item, a context and a notification need a current message,
 * a text and a notification its last content item. One that does not is ignored (contract §5).
 */
export function takesEffect(conversation: Conversation, { kind }: Update): boolean {
  switch (kind) {
    case 'snapshot':
    case 'name':
    case 'message':
      return true;
    case 'content':
    case 'context':
      return currentMessage(conversation) !== undefined;
    case 'text':
    case 'notification':
      return currentItem(conversation) !== undefined;
    default:
      return kind satisfies never;
  }
}

/** The newest message, to which content, context and text go. */
export const currentMessage = ({ messages }: Conversation): Message | undefined => last(messages);

/** The last content item of the current message. */
export function currentItem(conversation: Conversation): ContentItem | undefined {
  const content = currentMessage(conversation)?.content;
  return content && last(content);
}

const withPerson = (conversation: Conversation, person: string): Conversation =>
  person === conversation.person ? conversation : { ...conversation, person };

function withContent(conversation: Conversation, item: ContentItem): Conversation {
  const message = currentMessage(conversation);
  if (message === undefined) return conversation;
  const content = append(message.content ?? emptyVector<ContentItem>(), item);
  return withCurrent(conversation, { ...message, content });
}

function withContext(conversation: Conversation, context: string): Conversation {
  const message = currentMessage(conversation);
  if (message === undefined || message.context === context) return conversation;
  return withCurrent(conversation, { ...message, context });
}

function withText(conversation: Conversation, text: string | null): Conversation {
  const message = currentMessage(conversation);
  const item = message?.content && last(message.content);
  if (message?.content === undefined || item === undefined || item.text === text) return conversation;
  const content = replaceLast(message.content, { ...item, text });
  return withCurrent(conversation, { ...message, content });
}

const withCurrent = ({ person, messages }: Conversation, message: Message): Conversation => ({
  person,
  messages: replaceLast(messages, message),
});
