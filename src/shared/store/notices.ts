import { createReducer } from '@reduxjs/toolkit';
import {
  accountChanged,
  deletionAnnounced,
  noticeRaised,
  noticeSeen,
  startFailed,
  writingEnded,
  writingPaused,
  writingResumed,
} from '../actions/mainActions.ts';
import { sessionLaunched } from '../actions/sessionActions.ts';
import type { StartFailure } from '../ipc/channels.ts';

/** A sentence for the person. `id` tells it from an earlier one with the same text. */
interface Notice {
  readonly id: number;
  readonly text: string;
}

/**
 * What main says to the person in every window. A window shows what is new to it (`showNotices`), so one that opens later shows what is still there:
 *
 *     none ── raised ──▶ raised ── shown or dismissed in any window, resolved, or another one is raised ──▶ none
 */
export interface NoticesState {
  /** The mark of the signed-in account, `false` when none is signed in; `null` until main has read it. */
  readonly account: string | false | null;
  /** Why the account was signed out, until a window has shown it. */
  readonly signOutReason: Notice | null;
  /** Why the conversation is not opened; `null` when it is. */
  readonly startFailure: StartFailure | null;
  /** The newest notice that stays until a person dismisses it, or until it is resolved. */
  readonly standing: Notice | null;
  /** The newest notice that stays until a window has shown it. */
  readonly passing: Notice | null;
  /** The notices about the parts that pause, because their file cannot be written. */
  readonly paused: { readonly log?: string; readonly recording?: string };
  /** How often the person's data was deleted. */
  readonly deletions: number;
  /** The number of notices so far. */
  readonly count: number;
}

/** The notice when all parts that paused continue. */
export const CONTINUED = 'Files can be written again: the log and recordings continue.';

/** No notices: nothing is known about the account. */
export const noNotices: NoticesState = {
  account: null,
  signOutReason: null,
  startFailure: null,
  standing: null,
  passing: null,
  paused: {},
  deletions: 0,
  count: 0,
};

const raise = (
  state: NoticesState,
  kind: 'signOutReason' | 'standing' | 'passing',
  text: string,
): NoticesState => ({ ...state, count: state.count + 1, [kind]: { id: state.count + 1, text } });

/** Removes a part from those that pause. Its notice is over, unless it is also that of another part. */
function withoutPart(state: NoticesState, part: keyof NoticesState['paused']): NoticesState {
  const { [part]: text, ...paused } = state.paused;
  if (text === undefined) return state;
  const isOver = state.standing?.text === text && !Object.values(paused).includes(text);
  return { ...state, paused, standing: isOver ? null : state.standing };
}

/** Reduces the notices. */
export const noticesReducer = createReducer(noNotices, (builder) =>
  builder
    .addCase(accountChanged, (state, { payload: { account, reason } }): NoticesState => {
      if (account === state.account && reason === (state.signOutReason?.text ?? null)) return state;
      const changed = { ...state, account, signOutReason: null, startFailure: null };
      return reason === null ? changed : raise(changed, 'signOutReason', reason);
    })
    .addCase(startFailed, (state, { payload }): NoticesState => ({ ...state, startFailure: payload }))
    .addCase(sessionLaunched, (state): NoticesState => ({ ...state, startFailure: null }))
    .addCase(noticeRaised, (state, { payload: { text, until } }) =>
      raise(state, until === 'shown' ? 'passing' : 'standing', text),
    )
    .addCase(noticeSeen, (state, { payload: { id } }): NoticesState => ({
      ...state,
      signOutReason: state.signOutReason?.id === id ? null : state.signOutReason,
      standing: state.standing?.id === id ? null : state.standing,
      passing: state.passing?.id === id ? null : state.passing,
    }))
    .addCase(writingPaused, (state, { payload: { part, text } }): NoticesState => {
      const isKnown = Object.values(state.paused).includes(text);
      const paused = { ...state.paused, [part]: text };
      return isKnown ? { ...state, paused } : raise({ ...state, paused }, 'standing', text);
    })
    .addCase(writingEnded, (state, { payload: { part } }) => withoutPart(state, part))
    .addCase(writingResumed, (state, { payload: { part } }) => {
      const resumed = withoutPart(state, part);
      const isLast = resumed !== state && Object.keys(resumed.paused).length === 0;
      return isLast ? raise({ ...resumed, standing: null }, 'passing', CONTINUED) : resumed;
    })
    .addCase(deletionAnnounced, (state, { payload: { text } }) =>
      raise({ ...state, deletions: state.deletions + 1 }, 'passing', text),
    ),
);
