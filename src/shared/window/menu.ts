import { createSlice } from '@reduxjs/toolkit';

/** Whether the window's menu is open. */
export type MenuState = boolean;

const initialState = false as MenuState;

const slice = createSlice({
  name: 'menu',
  initialState,
  reducers: {
    opened: () => true,
    closed: () => false,
  },
});

export const { opened: menuOpened, closed: menuClosed } = slice.actions;

/** Reduces the menu. */
export const menuReducer = slice.reducer;
