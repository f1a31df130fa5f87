import { type Reducer, createAction } from '@reduxjs/toolkit';
import { applyUpdate } from '../conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '../conversation/conversation.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { sequenceOf } from './sequence.ts';
import { updateApplied } from './updates.ts';

/**
 * What a window receives of an applied snapshot: who it is for, and a part with the newest messages (JSON of a
 * `ConversationPart`). The window fetches the others.
 */
export const snapshotApplied = createAction<{ readonly person: string; readonly newest: string }>(
  'update/snapshotApplied',
);

/** The conversation: the fold over the updates applied since the session's launch. Plain, for Immer is quadratic here. */
export const conversationReducer: Reducer<Conversation> = (conversation = emptyConversation, action) => {
  if (updateApplied.match(action)) return applyUpdate(conversation, action.payload.update);
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return emptyConversation;
  return conversation;
};

/**
 * The number of the action that began this conversation: the session's launch or end, or a snapshot. While it is the same,
 * messages were only appended, and all but the last are as they were: a part that a window fetches belongs to its own
 * conversation.
 */
export const conversationStartReducer: Reducer<number> = (start = 0, action) =>
  beginsConversation(action) ? (sequenceOf(action) ?? start) : start;

const beginsConversation = (action: unknown): boolean =>
  sessionLaunched.match(action) ||
  sessionEnded.match(action) ||
  snapshotApplied.match(action) ||
  (updateApplied.match(action) && action.payload.update.kind === 'snapshot');
