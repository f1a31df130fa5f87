import { type Conversation, type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import { fieldPath, itemPath } from './statePath.ts';
import { type Change, compareFields, compareValues, lengthChange } from './valueDiff.ts';
import { differingIndexes } from './vectorDiff.ts';

/**
 * Returns how two conversations differ, as paths in the shape of spec §2.6. Shared parts are skipped, so the cost depends
 * on what changed, not on the length of the conversation. With a `limit` the comparison stops after that many changes;
 * there may be more.
 */
export function stateDiff(before: Conversation, after: Conversation, limit = Infinity): Change[] {
  const into: Change[] = [];
  compareFields({ path: '', before, after, into }, 'messages');
  const messages = { path: 'messages', before: before.messages, after: after.messages, into, limit };
  compareVectors(messages, (pair) => {
    const { before: old, after: message } = pair;
    if (old !== undefined && message !== undefined)
      compareMessages({ ...pair, before: old, after: message, into });
    else into.push({ ...pair, before: old && toFrame(old), after: message && toFrame(message) });
  });
  return into;
}

interface VectorPair<T> {
  readonly path: string;
  readonly before: Vector<T>;
  readonly after: Vector<T>;
  readonly into: Change[];
  readonly limit?: number;
}

interface ItemPair<T> {
  readonly path: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Compares each item that is new or different; then the length, when there are fewer items. */
function compareVectors<T>(vectors: VectorPair<T>, compareItems: (pair: ItemPair<T>) => void): void {
  const { path, before, after, into, limit = Infinity } = vectors;
  if (before === after) return;
  for (const index of differingIndexes(before, after)) {
    if (into.length >= limit) return;
    compareItems({ path: itemPath(path, index), before: itemAt(before, index), after: itemAt(after, index) });
  }
  if (after.length < before.length) into.push(lengthChange(vectors));
}

interface MessagePair extends ItemPair<Message> {
  readonly before: Message;
  readonly after: Message;
  readonly into: Change[];
}

function compareMessages({ path, before, after, into }: MessagePair): void {
  compareFields({ path, before, after, into }, 'content');
  const { content: contentBefore } = before;
  const { content: contentAfter } = after;
  const place = fieldPath(path, 'content');
  if (contentBefore === undefined || contentAfter === undefined) {
    const whole = {
      before: contentBefore && toArray(contentBefore),
      after: contentAfter && toArray(contentAfter),
    };
    compareValues({ path: place, ...whole, into });
    return;
  }
  const vectors = { path: place, before: contentBefore, after: contentAfter, into };
  compareVectors(vectors, (pair) => compareValues({ ...pair, into }));
}
