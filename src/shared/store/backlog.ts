import { createReducer } from '@reduxjs/toolkit';
import { backlogReported } from '../actions/sessionActions.ts';
import { BACKLOG_FROM } from '../limits.ts';
import { perSession } from './session.ts';

/** The backlog as the windows know it. Main reports it once a second while it changes. */
interface BacklogState {
  /** The number of waiting updates; 0 while their ticks take less than 2 s. */
  readonly updates: number;
}

/** Returns the backlog that main reports while `length` updates wait. */
export const backlogOf = (length: number): BacklogState => ({ updates: length < BACKLOG_FROM ? 0 : length });

const none: BacklogState = { updates: 0 };

/** Reduces the backlog. */
export const backlogReducer = perSession(
  createReducer(none, (builder) => builder.addCase(backlogReported, (_, { payload }) => payload)),
);
