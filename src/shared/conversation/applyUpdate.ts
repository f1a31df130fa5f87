import type { ContentItem, Update } from '../protocol/update.ts';
import { type Conversation, type Message, fromSnapshot, toMessage } from './conversation.ts';
import { type Vector, append, emptyVector, last, replaceLast } from './vector.ts';

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
      return withContent(conversation, (content) => append(content, update.frame));
    case 'context':
      return withCurrent(conversation, (message) => withContext(message, update.frame.context));
    case 'text':
      return withContent(conversation, (content) => withText(content, update.frame.text));
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

const withContext = (message: Message, context: string): Message =>
  context === message.context ? message : { ...message, context };

function withCurrent(conversation: Conversation, change: (message: Message) => Message): Conversation {
  const message = currentMessage(conversation);
  if (message === undefined) return conversation;
  const changed = change(message);
  if (changed === message) return conversation;
  return { person: conversation.person, messages: replaceLast(conversation.messages, changed) };
}

const withContent = (
  conversation: Conversation,
  change: (content: Vector<ContentItem>) => Vector<ContentItem>,
): Conversation =>
  withCurrent(conversation, (message) => {
    const before = message.content ?? emptyVector();
    const content = change(before);
    return content === before ? message : { ...message, content };
  });

function withText(content: Vector<ContentItem>, text: string | null): Vector<ContentItem> {
  const item = last(content);
  return item === undefined || item.text === text ? content : replaceLast(content, { ...item, text });
}
