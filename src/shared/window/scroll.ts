import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { startFailureChanged } from './startFailure.ts';

/**
 * The scroll intent: whether the conversation stays at its newest message. The person leaves the bottom by scrolling up; each update
 * brings the window back (spec §4.4).
 */
interface ScrollState {
  readonly isAtBottom: boolean;
}

const atBottom: ScrollState = { isAtBottom: true };

const slice = createSlice({
  name: 'scroll',
  initialState: atBottom,
  reducers: {
    leftBottom: (): ScrollState => ({ isAtBottom: false }),
    reachedBottom: () => atBottom,
  },
  extraReducers: (builder) => builder.addCase(startFailureChanged, () => atBottom),
});

export const { leftBottom, reachedBottom } = slice.actions;

/** Reduces the scroll. */
export const scrollReducer = slice.reducer;

/**
 * The place in the conversation at which the person last looked:
 *
 *     at the newest message ── left: scrolled up, or the window lost the focus ──▶ left
 *              ▲                                                                    │
 *              └──── returned: at the newest message, in a window with the focus ───┘
 */
export interface PlaceState {
  /** The number of messages when the person left; what arrives after it is new. `null` while the person is at the newest message. */
  readonly leftAt: number | null;
  /** The number of messages before the divider "New messages", from the return until the window loses the focus; `null` when there is none. */
  readonly divider: number | null;
}

interface Left {
  /** The number of messages. */
  readonly messages: number;
  /** Whether the window lost the focus or is not visible. Without it, the person scrolled up. */
  readonly isAway: boolean;
}

const NO_PLACE: PlaceState = { leftAt: null, divider: null };

const placeSlice = createSlice({
  name: 'place',
  initialState: NO_PLACE,
  reducers: {
    left: (place, { payload: { messages, isAway } }: PayloadAction<Left>): PlaceState =>
      place.leftAt === null ? { leftAt: messages, divider: isAway ? null : place.divider } : place,
    returned: (
      { leftAt, divider },
      { payload: { messages } }: PayloadAction<Pick<Left, 'messages'>>,
    ): PlaceState => ({ leftAt: null, divider: leftAt !== null && messages > leftAt ? leftAt : divider }),
  },
  extraReducers: (builder) => builder.addCase(startFailureChanged, () => NO_PLACE),
});

export const { left: placeLeft, returned: placeReturned } = placeSlice.actions;

/** Reduces the place. */
export const placeReducer = placeSlice.reducer;
