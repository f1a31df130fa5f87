import { applyUpdate, takesEffect } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { notificationText } from '#shared/store/selectors.ts';
import { tickFor } from '#shared/store/ticks.ts';

/**
 * The app's own code, as far as a fold needs it. The replay holds it apart so that the same capture can go through that
 * of another revision.
 */
export const appCode = {
  decodeUpdate,
  tickFor,
  takesEffect,
  applyUpdate,
  emptyConversation,
  toSnapshot,
  notificationText,
} as const;

export type ReplayCode = typeof appCode;
