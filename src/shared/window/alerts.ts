import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { textPayload } from './payloads.ts';

/** An alert. `id` distinguishes two alerts with the same text. */
interface AlertState {
  readonly id: number;
  readonly text: string;
}

/** The alerts, which are shown one after the other. */
interface AlertsState {
  /** The shown alert, and those that wait for its dismissal. */
  readonly waiting: readonly AlertState[];
  /** The id of the next alert. */
  readonly nextId: number;
}

/** Further alerts are dropped while this many wait. */
export const MOST_ALERTS = 100;

interface Text {
  readonly text: string;
}

const initialState: AlertsState = { waiting: [], nextId: 0 };

const slice = createSlice({
  name: 'alerts',
  initialState,
  reducers: {
    shown: {
      reducer: (alerts, { payload }: PayloadAction<Text>): AlertsState => {
        const { waiting, nextId } = alerts;
        if (waiting.length === MOST_ALERTS) return alerts;
        return { waiting: [...waiting, { id: nextId, text: payload.text }], nextId: nextId + 1 };
      },
      prepare: textPayload,
    },
    /** The person closed the alert; the next one is shown. */
    dismissed: ({ waiting, nextId }): AlertsState => ({ waiting: waiting.slice(1), nextId }),
  },
});

export const { shown: alertShown, dismissed: alertDismissed } = slice.actions;

/** Reduces the alerts. */
export const alertsReducer = slice.reducer;
