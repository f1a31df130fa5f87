import { reduceActs } from '../capture/recordedActions.ts';
import { applyUpdate, hasTarget } from '../conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '../conversation/conversation.ts';
import { decodeUpdate } from '../protocol/update.ts';
import { notificationText } from '../conversation/applyUpdate.ts';
import { tickFor } from '../store/queue.ts';

/**
 * The app's code that a replay uses. The replay tool's `compare` runs a capture with this code of another revision, which has this module under
 * this path; older revisions have it under `tools/replay/engine/code.ts`.
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
