import type { ContentItem, Update, UpdateKind } from '../protocol/update.ts';
import {
  type Conversation,
  type Message,
  fromSnapshot,
  toMessage,
  withContent,
  withContext,
  withText,
} from './conversation.ts';
import { append, changeLast, emptyVector, last } from './vector.ts';

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

/** Returns the current message: the newest one, which content, context and text updates change. */
export const currentMessage = ({ messages }: Conversation): Message | undefined => last(messages);

/** Returns the last content item of the current message, or `undefined`. */
export function currentItem(conversation: Conversation): ContentItem | undefined {
  const content = currentMessage(conversation)?.content;
  return content && last(content);
}

/** The text of a desktop notification. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** Returns a notification's text: the current message's context, and the text of its last content item (spec §6.1). */
export function notificationText(conversation: Conversation): NotificationText {
  return {
    title: currentMessage(conversation)?.context ?? '',
    body: currentItem(conversation)?.text ?? '',
  };
}

/** Returns the target of an update of each kind, or `undefined`. */
const TARGETS: Readonly<Record<UpdateKind, (conversation: Conversation) => object | undefined>> = {
  snapshot: (conversation) => conversation,
  name: (conversation) => conversation,
  message: (conversation) => conversation,
  content: currentMessage,
  context: currentMessage,
  text: currentItem,
  notification: currentItem,
};

/**
 * Returns whether an update has a target: a content item and a context need a current message; a text and a notification need its last
 * content item. An update without a target is ignored (contract §5).
 */
export const hasTarget = (conversation: Conversation, { kind }: Update): boolean =>
  TARGETS[kind](conversation) !== undefined;

const withPerson = (conversation: Conversation, person: string): Conversation =>
  person === conversation.person ? conversation : { ...conversation, person };

const addContent = (conversation: Conversation, item: ContentItem): Conversation =>
  changeCurrent(conversation, (message) =>
    withContent(message, append(message.content ?? emptyVector(), item)),
  );

const changeContext = (conversation: Conversation, context: string): Conversation =>
  changeCurrent(conversation, (message) =>
    message.context === context ? message : withContext(message, context),
  );

const changeText = (conversation: Conversation, text: string | null): Conversation =>
  changeCurrent(conversation, (message) => {
    const before = message.content ?? emptyVector();
    const content = changeLast(before, (item) => (item.text === text ? item : withText(item, text)));
    return content === before ? message : withContent(message, content);
  });

function changeCurrent(conversation: Conversation, change: (message: Message) => Message): Conversation {
  const messages = changeLast(conversation.messages, change);
  return messages === conversation.messages ? conversation : { person: conversation.person, messages };
}
