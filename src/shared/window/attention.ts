import type { Reducer } from '@reduxjs/toolkit';
import type { Update } from '../protocol/update.ts';
import { attentionGained, attentionLost } from '../actions/mainActions.ts';
import { updateApplied } from '../actions/sessionActions.ts';
import { resetsSession } from '../store/session.ts';
import { isOfType } from '../isOfType.ts';

/**
 * Whether a window has the person's attention, and how many messages arrived without it:
 *
 *     unwatched: messages of others are counted ◀─── lost ─── watched: nothing is unread
 *             └──────────────────── gained ───────────────────▶ │
 */
export interface AttentionState {
  readonly isWatched: boolean;
  /** How many messages arrived while no window was watched: the number on the program's icon, 0 shows none. */
  readonly unread: number;
}

const unwatched: AttentionState = { isWatched: false, unread: 0 };
const watched: AttentionState = { isWatched: true, unread: 0 };

/** The modifiers of messages by others: the person's own messages are not counted. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['ai', 'admin']);

/** Reduces the attention. */
export const attentionReducer: Reducer<AttentionState> = (attention = unwatched, action) => {
  if (isOfType(action, attentionGained)) return watched;
  if (isOfType(action, attentionLost)) return attention.isWatched ? unwatched : attention;
  if (resetsSession(action)) return attention.isWatched ? watched : unwatched;
  return isOfType(action, updateApplied) ? countUnread(attention, action.payload.update) : attention;
};

/** Counts an applied update if it is a message that the person has not seen. */
export const countUnread = (attention: AttentionState, { kind, frame }: Update): AttentionState =>
  kind === 'message' && !attention.isWatched && OTHERS.has(frame.modifier)
    ? { isWatched: false, unread: attention.unread + 1 }
    : attention;

/** Returns a text with the number of unread messages before it. */
export const withUnread = (text: string, { unread }: Pick<AttentionState, 'unread'>): string =>
  unread === 0 ? text : `(${unread}) ${text}`;

/** Returns the title of every window. */
export const windowTitle = (attention: Pick<AttentionState, 'unread'>): string =>
  withUnread('Parley', attention);
