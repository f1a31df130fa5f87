import { type Reducer, createAction } from '@reduxjs/toolkit';
import { local } from '#shared/store/local.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import { updateApplied } from '#shared/store/updates.ts';

/**
 * Whether a window has the person's attention, and how many messages arrived without it:
 *
 *     unwatched: messages of others are counted ◀─── lost ─── watched: nothing is unread
 *             └──────────────────── gained ───────────────────▶ │
 */
export interface AttentionState {
  readonly isWatched: boolean;
  /** How many messages arrived while no window was watched. */
  readonly unread: number;
}

/** A visible messenger window has the focus. Stays in main. */
export const attentionGained = createAction('attention/gained', () => local(undefined));

/** No visible messenger window has the focus. Stays in main. */
export const attentionLost = createAction('attention/lost', () => local(undefined));

const unwatched: AttentionState = { isWatched: false, unread: 0 };
const watched: AttentionState = { isWatched: true, unread: 0 };

/** The modifiers of messages by others: the person's own messages are not counted. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['ai', 'admin']);

export const attentionReducer: Reducer<AttentionState> = (attention = unwatched, action) => {
  if (attentionGained.match(action)) return watched;
  if (attentionLost.match(action)) return attention.isWatched ? unwatched : attention;
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return withoutUnread(attention);
  return isFromOthers(action) && !attention.isWatched
    ? { ...attention, unread: attention.unread + 1 }
    : attention;
};

const withoutUnread = (attention: AttentionState): AttentionState =>
  attention.unread === 0 ? attention : { ...attention, unread: 0 };

const isFromOthers = (action: unknown): boolean =>
  updateApplied.match(action) &&
  action.payload.update.kind === 'message' &&
  OTHERS.has(action.payload.update.frame.modifier);
