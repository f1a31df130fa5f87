import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { ReplayState } from '../engine/replay.ts';
import { displayOf } from './display.ts';
import { goldenValue } from './goldenValue.ts';

/** The counts and the queue's size at one moment, as plain copies. */
export interface Totals {
  readonly counts: ReplayState['counts'];
  readonly queue: { readonly length: number; readonly bytes: number };
}

/** Copies the counts and the queue's size: an engine may change its own. */
export const totalsOf = ({ counts, queue: { length, bytes } }: ReplayState): Totals => ({
  counts: { ...counts, rejected: { ...counts.rejected } },
  queue: { length, bytes },
});

/** Returns the whole state that the paths of a golden's changes refer to. */
export function goldenState(conversation: Conversation, totals: Totals): object {
  const { person, messages } = toSnapshot(conversation);
  return {
    person: goldenValue(person),
    messages: goldenValue(messages),
    display: displayOf(conversation),
    ...totals,
  };
}
