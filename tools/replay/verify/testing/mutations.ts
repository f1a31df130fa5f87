/** A fault in the replayed code, as an edit of one source file. */
export interface SeededMutation {
  /** What the changed code does. */
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  /** A part of the file. It occurs exactly once. */
  readonly now: string;
  /** What replaces it. */
  readonly mutated: string;
  /** The kind and the effect of the first update that differs, of one capture at least; or `the end`. */
  readonly at: string;
  /** The paths that lead to the cause, without indices and times: of each capture that differs, one is the first path of the report. */
  readonly leads: readonly string[];
}

/** Returns the text of a file with a mutation, or `undefined` when its part does not occur exactly once. */
export function withMutation(
  text: string,
  { now, mutated }: Pick<SeededMutation, 'now' | 'mutated'>,
): string | undefined {
  const parts = text.split(now);
  return parts.length === 2 ? parts.join(mutated) : undefined;
}

const TICKS = 'src/shared/store/ticks.ts';
const QUEUE = 'src/shared/store/queue.ts';
const MIDDLEWARE = 'src/shared/store/queueMiddleware.ts';
const FIFO = 'src/shared/fifo.ts';
const COUNTS = 'src/shared/store/counts.ts';
const DECODER = 'src/shared/protocol/decodeUpdate.ts';
const FOLD = 'src/shared/conversation/applyUpdate.ts';
const VECTOR = 'src/shared/conversation/vector.ts';
const DISPLAY = 'src/shared/conversation/display.ts';

/** Thirty faults of the kinds that `verify` must catch. */
export const SEEDED_MUTATIONS: readonly SeededMutation[] = [
  {
    name: 'a frame that arrives at a tick is released at this tick',
    file: TICKS,
    now: '(Math.floor(at / QUEUE_TICK_MS) + 1) * QUEUE_TICK_MS',
    mutated: 'Math.ceil(at / QUEUE_TICK_MS) * QUEUE_TICK_MS',
    at: 'message, applied',
    leads: ['update.tick'],
  },
  {
    name: 'updates that wait are released in a burst at one tick',
    file: TICKS,
    now: 'previous + QUEUE_TICK_MS',
    mutated: 'previous',
    at: 'text, applied',
    leads: ['update.tick'],
  },
  {
    name: 'the timer of the queue fires one tick late',
    file: MIDDLEWARE,
    now: 'clock.after(next.launchedAt + next.due - clock.now(), () =>',
    mutated: 'clock.after(next.launchedAt + next.due - clock.now() + 100, () =>',
    at: 'snapshot, applied',
    leads: ['update.tick'],
  },
  {
    name: 'an ignored update is dispatched, and counted, as applied',
    file: MIDDLEWARE,
    now: 'hasTarget(before.conversation, update) ? updateApplied : updateIgnored',
    mutated: 'hasTarget(before.conversation, update) || true ? updateApplied : updateIgnored',
    at: 'notification, applied',
    leads: ['update.effect'],
  },
  {
    name: 'the queue loses an update when a third one waits',
    file: FIFO,
    now: '{ front, middle, back: [...back, item] }',
    mutated: '{ front, middle, back: [...back.slice(1), item] }',
    at: 'text, applied',
    leads: ['lost at queue.waiting[*]'],
  },
  {
    name: 'the queue repeats an update',
    file: FIFO,
    now: 'return { front: [item], middle, back };',
    mutated: 'return { front: [item, item], middle, back };',
    at: 'snapshot, applied',
    leads: ['repeated at queue.waiting[*]'],
  },
  {
    name: 'the queue releases the newest of the waiting updates first',
    file: FIFO,
    now: 'back: [...back, item] }',
    mutated: 'back: [item, ...back] }',
    at: 'text, applied',
    leads: ['early at queue.waiting[*]'],
  },
  {
    name: 'the state of the queue is mutated when an update is received',
    file: QUEUE,
    now: '=> ({\n  ...queue,\n  length: queue.length + 1,',
    mutated: '=> Object.assign(queue, {\n  length: queue.length + 1,',
    at: 'snapshot, applied',
    leads: ['mutates queue.length'],
  },
  {
    name: 'the size of a released text update stays in the size of the queue',
    file: QUEUE,
    now: 'bytes: queue.bytes - released.bytes,',
    mutated: `bytes: queue.bytes - (released.update.kind === 'text' ? 0 : released.bytes),`,
    at: 'text, applied',
    leads: ['queue.bytes'],
  },
  {
    name: 'an applied update is also counted as ignored',
    file: COUNTS,
    now: `ignored: counts.ignored + (one === 'ignored' ? 1 : 0),`,
    mutated: `ignored: counts.ignored + (one === 'ignored' || one === 'applied' ? 1 : 0),`,
    at: 'snapshot, applied',
    leads: ['counts.ignored'],
  },
  {
    name: 'a rejected frame is not counted as received',
    file: COUNTS,
    now: 'received: counts.received + 1,',
    mutated: 'received: counts.received,',
    at: 'snapshot, applied',
    leads: ['counts.received'],
  },
  {
    name: 'a dropped message is counted as sent',
    file: COUNTS,
    now: `return countsWith(counts, 'dropped');`,
    mutated: `return countsWith(counts, 'sent');`,
    at: 'the end',
    leads: ['counts.sent'],
  },
  {
    name: 'a close with a reason reconnects',
    file: 'src/shared/store/connection.ts',
    now: `reason === '' ? null : reason`,
    mutated: `reason === '' ? null : null`,
    at: 'the end',
    leads: ['connection.closedBecause'],
  },
  {
    name: 'a context has precedence over a category',
    file: 'src/shared/protocol/update.ts',
    now: `  content: 'category',\n  context: 'context',`,
    mutated: `  context: 'context',\n  content: 'category',`,
    at: 'context, applied',
    leads: ['update.kind'],
  },
  {
    name: 'a text of null is rejected',
    file: DECODER,
    now: `text: (frame) => textOrNull(frame, 'text', frame.text),`,
    mutated: `text: (frame) => (frame.text === null ? '.text' : textOrNull(frame, 'text', frame.text)),`,
    at: 'message, applied',
    leads: ['counts.rejected.wrongType'],
  },
  {
    name: 'a frame that is not an object is rejected for another reason',
    file: DECODER,
    now: `return rejected('notAnObject');`,
    mutated: `return rejected('notJson');`,
    at: 'snapshot, applied',
    leads: ['counts.rejected.notAnObject', 'counts.rejected.notJson'],
  },
  {
    name: 'a text update changes the html of its item',
    file: FOLD,
    now: 'item.text === text ? item : withText(item, text)',
    mutated: 'item.text === text ? item : { ...item, html: text }',
    at: 'text, applied',
    leads: ['messages[*].content[*].text'],
  },
  {
    name: 'a new content item replaces the others',
    file: FOLD,
    now: 'append(message.content ?? emptyVector(), item)',
    mutated: 'append(emptyVector<ContentItem>(), item)',
    at: 'content, applied',
    leads: ['messages[*].content[*].category', 'messages[*].content[*].text'],
  },
  {
    name: 'a context is lost',
    file: FOLD,
    now: 'message.context === context ? message : withContext(message, context)',
    mutated: 'message.context === context ? message : message',
    at: 'context, applied',
    leads: ['messages[*].context'],
  },
  {
    name: 'a name update sets the name twice',
    file: FOLD,
    now: '? conversation : { ...conversation, person };',
    mutated: '? conversation : { ...conversation, person: person + person };',
    at: 'name, applied',
    leads: ['person'],
  },
  {
    name: 'a notification without a content item is applied',
    file: FOLD,
    now: 'notification: currentItem',
    mutated: 'notification: currentMessage',
    at: 'notification, applied',
    leads: ['update.effect'],
  },
  {
    name: 'an append mutates the tail that versions share',
    file: VECTOR,
    now: 'items.toSpliced(items.length, 0, item);',
    mutated: '((items as T[]).push(item), items as T[]);',
    at: 'message, ignored',
    leads: ['mutates conversation.messages.root[*]', 'mutates messages[*]'],
  },
  {
    name: 'a replacement mutates the vector that versions share',
    file: VECTOR,
    now: '{ length, depth, root, tail, lastItem: changed }',
    mutated: 'Object.assign(vector, { lastItem: changed })',
    at: 'text, ignored',
    leads: [
      'mutates messages[*].content',
      'mutates messages[*].content[*]',
      'mutates messages[*].content[*].text',
      'mutates messages[*].context',
    ],
  },
  {
    name: 'the vector gets its next level one leaf late',
    file: VECTOR,
    now: 'index === WIDTH ** (depth + 1)',
    mutated: 'index === WIDTH ** (depth + 1) + WIDTH',
    at: 'content, applied',
    leads: ['messages[*].content[*].i'],
  },
  {
    name: 'the first leaf of each node is skipped',
    file: VECTOR,
    now: 'for (let slot = 0; slot < node.length; slot++) collect',
    mutated: 'for (let slot = 1; slot < node.length; slot++) collect',
    at: 'message, applied',
    leads: ['messages[*].content[*].category', 'messages[*].content[*].i'],
  },
  {
    name: 'initials come from the first two words',
    file: DISPLAY,
    now: '[letters.at(0), letters.at(-1)]',
    mutated: '[letters.at(0), letters.at(1)]',
    at: 'snapshot, applied',
    leads: ['display.initials'],
  },
  {
    name: 'the last item of a message is displayed as one in the middle',
    file: DISPLAY,
    now: `index === count - 1 ? 'last' : 'middle'`,
    mutated: `index === count ? 'last' : 'middle'`,
    at: 'content, applied',
    leads: ['display.messages[*].items[*]'],
  },
  {
    name: 'the person’s own messages are displayed on the left',
    file: DISPLAY,
    now: `['client', 'right']`,
    mutated: `['client', 'left']`,
    at: 'message, applied',
    leads: ['display.messages[*].side'],
  },
  {
    name: 'an empty text is displayed as it is',
    file: DISPLAY,
    now: 'text || PLACEHOLDER',
    mutated: 'text ?? PLACEHOLDER',
    at: 'content, applied',
    leads: ['display.messages[*].items[*]'],
  },
  {
    name: 'messages are counted as unread while a window is watched',
    file: 'src/shared/window/attention.ts',
    now: `kind === 'message' && !attention.isWatched && OTHERS`,
    mutated: `kind === 'message' && OTHERS`,
    at: 'message, applied',
    leads: ['unread'],
  },
];
