import { type PayloadAction, createSlice } from '@reduxjs/toolkit';

/** The views of a window. */
export const VIEWS = ['splash', 'login', 'conversation'] as const;

/**
 * The view that the window shows (spec §3.1):
 *
 *     splash ── false ──▶ login ◀── false ──┐
 *        │                  │               │
 *        │            an identifier         │
 *        │                  ▼               │
 *        └─ an identifier ▶ conversation ───┘
 */
export type View = (typeof VIEWS)[number];

const initialState = 'splash' as View;

const slice = createSlice({
  name: 'view',
  initialState,
  reducers: {
    changed: (_, { payload }: PayloadAction<{ readonly view: View }>) => payload.view,
  },
});

export const { changed: viewChanged } = slice.actions;

/** Reduces the view. */
export const viewReducer = slice.reducer;
