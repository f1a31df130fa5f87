import type { ContentItem, Update } from '../protocol/update.ts';
import {
  type Conversation,
  type Message,
  fromSnapshot,
  toMessage,
  withContent,
  withContext,
  withText,
} from './conversation.ts';
import { append, emptyVector, last, replaceLast } from './vector.ts';

/**
 * Applies an update to the conversation (spec §6.1): one step of the fold. Pure and total. Returns the same reference when nothing changes;
 * unchanged parts keep their references too.
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
      return addContent(conversation, update.frame);
    case 'context':
      return changeContext(conversation, update.frame.context);
    case 'text':
      return changeText(conversation, update.frame.text);
    case 'notification':
      return conversation;
    default:
      return update satisfies never;
  }
}

/**
 * Returns whether an update has a target: a content item and a context need a current message; a text and a notification need its last
 * content item. An update without a target is ignored (contract §5).
 */
export function hasTarget(conversation: Conversation, { kind }: Update): boolean {
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

/** Returns the current message: the newest one, which content, context and text updates change. */
export const currentMessage = ({ messages }: Conversation): Message | undefined => last(messages);

/** Returns the last content item of the current message, or `undefined`. */
export function currentItem(conversation: Conversation): ContentItem | undefined {
  const content = currentMessage(conversation)?.content;
  return content && last(content);
}

const withPerson = (conversation: Conversation, person: string): Conversation =>
  person === conversation.person ? conversation : { ...conversation, person };

function addContent(conversation: Conversation, item: ContentItem): Conversation {
  const message = currentMessage(conversation);
  if (message === undefined) return conversation;
  return replaceCurrent(conversation, withContent(message, append(message.content ?? emptyVector(), item)));
}

function changeContext(conversation: Conversation, context: string): Conversation {
  const message = currentMessage(conversation);
  if (message === undefined || message.context === context) return conversation;
  return replaceCurrent(conversation, withContext(message, context));
}

function changeText(conversation: Conversation, text: string | null): Conversation {
  const message = currentMessage(conversation);
  const item = message?.content && last(message.content);
  if (message?.content === undefined || item === undefined || item.text === text) return conversation;
  return replaceCurrent(
    conversation,
    withContent(message, replaceLast(message.content, withText(item, text))),
  );
}

const replaceCurrent = ({ person, messages }: Conversation, message: Message): Conversation => ({
  person,
  messages: replaceLast(messages, message),
});
