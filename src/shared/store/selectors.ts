import { currentItem, currentMessage } from '../conversation/applyUpdate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { initialsOf } from '../conversation/display.ts';
import type { SharedState } from './rootReducer.ts';

export const selectMessages = (state: SharedState) => state.conversation.messages;

/** The message that updates go to: the newest one. */
export const selectCurrentMessage = (state: SharedState) => currentMessage(state.conversation);

/** What the floating icon shows (spec §2.6). */
export const selectInitials = (state: SharedState) => initialsOf(state.conversation.person ?? '');

export const selectConnection = (state: SharedState) => state.connection;

/** The audio module (spec §3.3). */
export const selectAudio = (state: SharedState) => state.audio;

/** How much waits for its tick. */
export const selectBacklog = (state: SharedState) => state.backlog;

export const selectPreferences = (state: SharedState) => state.preferences;

/** A desktop notification. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** What a notification says now: the current message's context, the text of its last content item (spec §6.1 row 7). */
export function notificationText(conversation: Conversation): NotificationText {
  return {
    title: currentMessage(conversation)?.context ?? '',
    body: currentItem(conversation)?.text ?? '',
  };
}
