import { createSlice } from '@reduxjs/toolkit';
import type { RejectReason } from '../protocol/decodeUpdate.ts';
import { messageDropped, messageSent } from './outgoing.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from './updates.ts';

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

const slice = createSlice({
  name: 'counts',
  initialState: none,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(sessionLaunched, () => none)
      .addCase(sessionEnded, () => none)
      .addCase(updateReceived, (counts) => void counts.received++)
      .addCase(frameRejected, (counts, { payload: { reason } }) => {
        counts.received++;
        counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1;
      })
      .addCase(updateApplied, (counts) => void counts.applied++)
      .addCase(updateIgnored, (counts) => void counts.ignored++)
      .addCase(messageSent, (counts) => void counts.sent++)
      .addCase(messageDropped, (counts) => void counts.dropped++),
});

/** Reduces the counts. */
export const countsReducer = slice.reducer;
