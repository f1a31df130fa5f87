import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { ItemPlace } from '../conversation/sounds.ts';
import { startFailureChanged } from './startFailure.ts';

/**
 * The place of the image that the viewer shows; `null` while the viewer is closed.
 *
 *     closed ── opened ──▶ an image ── opened ──▶ another image
 *       ▲                     │
 *       └────── closed ───────┘
 */
export type ViewerState = ItemPlace | null;

const closed = null as ViewerState;

const slice = createSlice({
  name: 'viewer',
  initialState: closed,
  reducers: {
    /** The person opened an image, or went to the next or previous one. */
    opened: (_, { payload }: PayloadAction<ItemPlace>): ViewerState => payload,
    closed: () => closed,
  },
  extraReducers: (builder) => builder.addCase(startFailureChanged, () => closed),
});

export const { opened: imageOpened, closed: viewerClosed } = slice.actions;

/** Reduces the viewer. */
export const viewerReducer = slice.reducer;
