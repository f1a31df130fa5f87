import { reduceActs } from '#shared/capture/actsState.ts';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { notificationText } from '#shared/store/selectors.ts';
import { tickFor } from '#shared/store/ticks.ts';

/**
 * The app's code that a fold uses. It is passed in, so that `compare` can run the same capture with the code of another
 * revision. `compare` finds this file by its path in each revision.
 */
export const appCode = {
  decodeUpdate,
  tickFor,
  hasTarget,
  applyUpdate,
  emptyConversation,
  toSnapshot,
  notificationText,
  reduceActs,
} as const;

/** The app's functions that a replay uses: of this revision, or of another one. */
export type ReplayCode = typeof appCode;
