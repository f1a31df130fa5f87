import type { Reducer } from '@reduxjs/toolkit';
import { applyUpdate } from '../conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '../conversation/conversation.ts';
import { sessionEnded, sessionLaunched } from './session.ts';
import { updateApplied } from './updates.ts';

/** The conversation: the fold over the updates applied since the session's launch. Plain, for Immer is quadratic here. */
export const conversationReducer: Reducer<Conversation> = (conversation = emptyConversation, action) => {
  if (updateApplied.match(action)) return applyUpdate(conversation, action.payload.update);
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return emptyConversation;
  return conversation;
};
