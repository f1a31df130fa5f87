import { currentItem, currentMessage } from '../conversation/applyUpdate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { initialsOf } from '../conversation/display.ts';
import type { SharedState } from './rootReducer.ts';

/** Selects the number of applied updates, after each of which the view scrolls to the bottom (spec §4.4 item 4). */
export const selectAppliedUpdates = (state: SharedState) => state.appliedUpdates;

/** Selects the person's initials, which the floating icon shows (spec §2.6). */
export const selectInitials = (state: SharedState) => initialsOf(state.conversation.person ?? '');

/** Selects the connection (spec §3.2). */
export const selectConnection = (state: SharedState) => state.connection;

/** Selects whether the platform has answered since the session's launch. */
export const selectWasConnected = (state: SharedState) => state.wasConnected;

/** Selects the audio module's state (spec §3.3). */
export const selectAudio = (state: SharedState) => state.audio;

/** Selects the backlog. */
export const selectBacklog = (state: SharedState) => state.backlog;

/** Selects the preferences in effect. */
export const selectPreferences = (state: SharedState) => state.preferences;

/** The text of a desktop notification. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** Returns a notification's text: the current message's context, and the text of its last content item (spec §6.1 row 7). */
export function notificationText(conversation: Conversation): NotificationText {
  return {
    title: currentMessage(conversation)?.context ?? '',
    body: currentItem(conversation)?.text ?? '',
  };
}
