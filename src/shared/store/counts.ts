import type { Reducer } from '@reduxjs/toolkit';
import type { RejectReason } from '../protocol/update.ts';
import { isOfType } from '../isOfType.ts';
import { messageDropped, messageSent } from '../actions/mainActions.ts';
import { perSession } from './session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from '../actions/sessionActions.ts';

/** Counts since the session's launch; 0 when no session runs. Every received frame is rejected, or applied or ignored at its tick. */
export interface CountsState {
  readonly received: number;
  readonly sent: number;
  readonly dropped: number;
  readonly applied: number;
  readonly ignored: number;
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
}

const none: CountsState = { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected: {} };

/**
 * Reduces the counts. Does not use Immer, which takes longer to count an update than all other slices take together, and no spread, which takes ten
 * times as long as a literal.
 */
export const countsReducer: Reducer<CountsState> = perSession((counts = none, action) => {
  if (isOfType(action, updateReceived)) return countsWith(counts, 'received');
  if (isOfType(action, updateApplied)) return countsWith(counts, 'applied');
  if (isOfType(action, updateIgnored)) return countsWith(counts, 'ignored');
  if (isOfType(action, frameRejected)) return withRejected(counts, action.payload.reason);
  if (isOfType(action, messageSent)) return countsWith(counts, 'sent');
  if (isOfType(action, messageDropped)) return countsWith(counts, 'dropped');
  return counts;
});

const countsWith = (counts: CountsState, one: Exclude<keyof CountsState, 'rejected'>): CountsState => ({
  received: counts.received + (one === 'received' ? 1 : 0),
  sent: counts.sent + (one === 'sent' ? 1 : 0),
  dropped: counts.dropped + (one === 'dropped' ? 1 : 0),
  applied: counts.applied + (one === 'applied' ? 1 : 0),
  ignored: counts.ignored + (one === 'ignored' ? 1 : 0),
  rejected: counts.rejected,
});

const withRejected = (counts: CountsState, reason: RejectReason): CountsState => ({
  ...counts,
  received: counts.received + 1,
  rejected: { ...counts.rejected, [reason]: (counts.rejected[reason] ?? 0) + 1 },
});
