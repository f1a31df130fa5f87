import type { Action } from '@reduxjs/toolkit';
import { fileErrorReason, isDiskFull } from '#node/fileErrorReason.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import {
  noticeRaised,
  noticeSeen,
  type PausedPart,
  writingEnded,
  writingPaused,
  writingResumed,
} from '#shared/actions/mainActions.ts';
import { noteDismissed } from '#shared/actions/windowActions.ts';
import type { NoticesState } from '#shared/store/notices.ts';
import { NO_WINDOW, windowOf } from '#shared/store/openWindows.ts';
import type { Listeners, MainState } from '../store/mainStore.ts';

/** Receives that files cannot be written, for notices to the person. */
export interface Faults {
  /** The part cannot be written; it retries by itself. */
  paused(part: PausedPart, error: unknown): void;
  /** The part is written again. */
  resumed(part: PausedPart): void;
  /** The part has ended, written or not. */
  ended(part: PausedPart): void;
}

interface NoticesStore {
  readonly dispatch: (action: Action) => unknown;
  readonly getState: () => { readonly notices: NoticesState };
}

/** Creates the notices about the program for the person, in sentences. They are actions of main's store; those from before it exists wait for it. */
export function createNotices() {
  const waiting: Action[] = [];
  let dispatch = (action: Action): void => void waiting.push(action);
  let current: NoticesStore | undefined;
  const isPaused = (part: PausedPart) => current === undefined || part in current.getState().notices.paused;
  const faults: Faults = {
    paused(part, error) {
      const isFull = isDiskFull(error);
      // The person misses nothing of a log that is paused for another reason.
      if (!isFull && part === 'log') return;
      dispatch(writingPaused({ part, text: isFull ? DISK_FULL : recordingPaused(error) }));
    },
    resumed: (part) => isPaused(part) && dispatch(writingResumed({ part })),
    ended: (part) => isPaused(part) && dispatch(writingEnded({ part })),
  };
  return {
    /** Shows a sentence in every window, also in those that open later, until a person dismisses it. */
    notify: (text: string) => dispatch(noticeRaised({ text, until: 'dismissed' })),
    faults,
    /** Dispatches the notices to the store from now on. */
    begin(store: NoticesStore): void {
      dispatch = (action) => void store.dispatch(action);
      current = store;
      waiting.splice(0).forEach(dispatch);
    },
  };
}

/** The notice while the disk is full. */
export const DISK_FULL =
  'The disk is full: the log and recordings are paused. Free some space, and they continue.';

const recordingPaused = (error: unknown) =>
  `Recording is paused: ${fileErrorReason(error)}. It continues when the file can be written.`;

/**
 * Dispatches that a notice was seen: a window shows it, or a person dismissed it in a window. What a window shows is known from main's copy of its state, because
 * an action of the window is dropped while a session ends.
 */
export function showNotices({ startListening }: Listeners): void {
  startListening({
    predicate: (_, now, before) => now.windows !== before.windows || now.notices !== before.notices,
    effect(_, { getState, dispatch }) {
      const { signOutReason, passing } = getState().notices;
      const shown = windowStates(getState());
      const isAlert = (text: string) =>
        shown.some(({ alerts }) => alerts.waiting.some((alert) => alert.text === limitText(text)));
      const isNote = (text: string) => shown.some(({ notes }) => notes?.text === limitText(text));
      if (signOutReason !== null && isAlert(signOutReason.text))
        dispatch(noticeSeen({ id: signOutReason.id }));
      if (passing !== null && isNote(passing.text)) dispatch(noticeSeen({ id: passing.id }));
    },
  });
  startListening({
    actionCreator: noteDismissed,
    effect(action, { getOriginalState, dispatch }) {
      const { windows, notices } = getOriginalState();
      const note = windows[windowOf(action) ?? NO_WINDOW]?.own.notes;
      const { standing } = notices;
      if (standing !== null && note?.text === limitText(standing.text))
        dispatch(noticeSeen({ id: standing.id }));
    },
  });
}

const windowStates = ({ windows }: Pick<MainState, 'windows'>) =>
  Object.values(windows).map(({ own }) => own);
