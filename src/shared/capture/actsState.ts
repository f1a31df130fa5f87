import { combineReducers } from '@reduxjs/toolkit';
import { NO_ACTION } from '../isOfType.ts';
import { audioReducer } from '../store/audio.ts';
import { backlogReducer } from '../store/backlog.ts';
import { connectionReducer, wasConnectedReducer } from '../store/connection.ts';
import { preferencesReducer } from '../store/preferences.ts';
import { attentionReducer } from '../window/attention.ts';
import { windowsReducer } from '../window/windows.ts';

/** Reduces the slices that follow from actions; of `attention`, only frames change the number of unread messages. The fold and the recorder's ring use it; the store has the same reducers. */
export const reduceActs = combineReducers({
  connection: connectionReducer,
  wasConnected: wasConnectedReducer,
  backlog: backlogReducer,
  audio: audioReducer,
  preferences: preferencesReducer,
  attention: attentionReducer,
  windows: windowsReducer,
});

/** The slices that follow from actions. */
export type ActsState = ReturnType<typeof reduceActs>;

/** The slices before the first action. */
export const initialActs: ActsState = reduceActs(undefined, NO_ACTION);

/** Returns the slices that follow from actions, of a larger state. */
export const actsPart = ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
}: ActsState): ActsState => ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
});
