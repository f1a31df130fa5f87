import { createSlice } from '@reduxjs/toolkit';
import { sessionEnded, sessionLaunched } from './session.ts';
import { updateApplied, updateIgnored, updateReceived } from './updates.ts';

/** The number and total bytes of the waiting updates. The queue middleware stores the updates themselves. */
export interface QueueState {
  readonly length: number;
  readonly bytes: number;
}

const empty: QueueState = { length: 0, bytes: 0 };

const released = (
  queue: QueueState,
  { payload }: ReturnType<typeof updateApplied | typeof updateIgnored>,
) => ({
  length: queue.length - 1,
  bytes: queue.bytes - payload.bytes,
});

const slice = createSlice({
  name: 'queue',
  initialState: empty,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(sessionLaunched, () => empty)
      .addCase(sessionEnded, () => empty)
      .addCase(updateReceived, (queue, { payload }) => ({
        length: queue.length + 1,
        bytes: queue.bytes + payload.bytes,
      }))
      .addCase(updateApplied, released)
      .addCase(updateIgnored, released),
});

export const queueReducer = slice.reducer;
