import { type UnknownAction, combineReducers } from '@reduxjs/toolkit';
import { audioReducer } from '../store/audio.ts';
import { connectionReducer } from '../store/connection.ts';
import { preferencesReducer } from '../store/preferences.ts';
import { windowsReducer } from '../window/windows.ts';

/** Reduces the slices that follow from actions, not from frames. The fold and the recorder's ring use it; the store has the same reducers. */
export const reduceActs = combineReducers({
  connection: connectionReducer,
  audio: audioReducer,
  preferences: preferencesReducer,
  windows: windowsReducer,
});

/** The slices that follow from actions. */
export type ActsState = ReturnType<typeof reduceActs>;

/** The slices before the first action. */
export const initialActs: ActsState = reduceActs(undefined, { type: '' } satisfies UnknownAction);
