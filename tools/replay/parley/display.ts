import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import {
  displayedCategory,
  displayedText,
  initialsOf,
  positionOf,
  sideOf,
} from '#shared/conversation/display.ts';
import { formatOf } from '#shared/conversation/markdownRuns.ts';
import { emptyVector, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type Change, compareValues } from '../diff/valueDiff.ts';
import { compareVectors } from '../diff/stateDiff.ts';

/** Returns what the window derives from the conversation, in the form of goldens. */
export const displayOf = ({ person, messages }: Conversation) => ({
  initials: initialsOf(person ?? ''),
  messages: toArray(messages).map(displayedMessage),
});

/** Adds how the display differs between two conversations. Only messages that changed are compared, as with `stateDiff`. */
export function addDisplayDiff(before: Conversation, after: Conversation, into: Change[]): void {
  if (before.person !== after.person) {
    const [old, initials] = [initialsOf(before.person ?? ''), initialsOf(after.person ?? '')];
    compareValues({ path: 'display.initials', before: old, after: initials, into });
  }
  const messages = { path: 'display.messages', before: before.messages, after: after.messages, into };
  compareVectors(messages, ({ path, before: one, after: other }) => {
    if (other !== undefined)
      compareValues({ path, before: one && displayedMessage(one), after: displayedMessage(other), into });
  });
}

/** Returns for each item its position and its display, and the displayed text when that is not the item's own: `last text ...`. */
const displayedMessage = ({ modifier, content = emptyVector() }: Message) => ({
  side: sideOf(modifier),
  items: toArray(content).map((item, index) => displayedItem(item, index, content.length)),
});

function displayedItem(item: ContentItem, index: number, count: number): string {
  const kind = formatOf(item) ?? displayedCategory(item.category);
  const shown = `${positionOf(index, count)} ${kind}`;
  if (kind === 'html' || kind === 'image') return shown;
  const text = displayedText(item.text);
  return text === item.text ? shown : `${shown} ${text}`;
}
