import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';

type Messages = readonly Message[];

/** Folds frames as most reducers do: each version is a copy of the whole list. */
export function spreadFold(texts: readonly string[]): Messages {
  let messages: Messages = [];
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') messages = next(messages, update);
  }
  return messages;
}

function next(messages: Messages, update: Update): Messages {
  const content = messages.at(-1)?.content ?? [];
  switch (update.kind) {
    case 'snapshot':
      return update.frame.messages ?? [];
    case 'message':
      return [...messages, update.frame];
    case 'content':
      return withLast(messages, { content: [...content, update.frame] });
    case 'text':
      return withLast(messages, { content: withText(content, update.frame.text) });
    case 'context':
      return withLast(messages, update.frame);
    case 'name':
    case 'notification':
      return messages;
    default:
      return update satisfies never;
  }
}

const withLast = (messages: Messages, change: Partial<Message>): Messages => [
  ...messages.slice(0, -1),
  { ...messages.at(-1), ...change },
];

const withText = (content: readonly ContentItem[], text: string | null): readonly ContentItem[] => [
  ...content.slice(0, -1),
  { ...content.at(-1), text },
];
