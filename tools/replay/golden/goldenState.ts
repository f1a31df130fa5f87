import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { itemAt, toArray } from '#shared/conversation/vector.ts';
import type { Word } from '#shared/conversation/words.ts';
import type { Arrivals } from '#shared/store/arrivals.ts';
import { windowTitle } from '#shared/window/attention.ts';
import type { ReplayState } from '../engine/parley.ts';
import { type Change, compareFields, itemPath, lengthChange } from '../diff/valueDiff.ts';
import { differingIndexes } from '../diff/stateDiff.ts';
import { displayOf } from './display.ts';
import { goldenValue } from './goldenValue.ts';

/** The counts, the queue's size, the number of unread messages with the title of the windows, the words and the arrivals at one moment; they do not change. */
export interface Totals {
  readonly counts: Readonly<ReplayState['counts']>;
  readonly queue: { readonly length: number; readonly bytes: number };
  readonly unread: number;
  /** The title of every window. */
  readonly title: string;
  readonly words: readonly Word[];
  readonly arrivals: Arrivals;
}

/** Returns the totals of a state. */
export const totalsOf = ({ counts, queue, attention, words, arrivals }: ReplayState): Totals => ({
  counts,
  queue: { length: queue.length, bytes: queue.bytes },
  unread: attention.unread,
  title: windowTitle(attention),
  words,
  arrivals,
});

/** Adds how two totals differ. */
export function addTotalsDiff(before: Totals, after: Totals, into: Change[]): void {
  compareFields({ path: '', before, after, into }, 'arrivals');
  if (before.arrivals !== after.arrivals) addArrivalsDiff(before.arrivals, after.arrivals, into);
}

/** Adds how the arrivals differ. The cost depends on what changed, as with `stateDiff`. */
function addArrivalsDiff(before: Arrivals, after: Arrivals, into: Change[]): void {
  const path = 'arrivals';
  for (const index of differingIndexes(before, after))
    into.push({ path: itemPath(path, index), before: itemAt(before, index), after: itemAt(after, index) });
  if (after.length < before.length) into.push(lengthChange({ path, before, after }));
}

/** Returns the whole state that the paths of a golden's changes refer to. */
export function goldenState(conversation: Conversation, { arrivals, ...totals }: Totals): object {
  const { person, messages } = toSnapshot(conversation);
  return {
    person: goldenValue(person),
    messages: goldenValue(messages),
    display: displayOf(conversation),
    ...totals,
    arrivals: toArray(arrivals),
  };
}
