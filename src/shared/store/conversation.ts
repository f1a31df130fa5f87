import type { Reducer } from '@reduxjs/toolkit';
import { snapshotApplied, updateApplied } from '../actions/sessionActions.ts';
import { applyUpdate } from '../conversation/applyUpdate.ts';
import {
  type Conversation,
  emptyConversation,
  NO_WORDS,
  type Word,
  wordsOf,
} from '../conversation/conversation.ts';
import { perSession, resetsSession } from './session.ts';
import type { Snapshot } from '../protocol/update.ts';
import { sequenceNumber } from './sequence.ts';
import { isOfType } from '../isOfType.ts';

/** Folds the updates that were applied since the session's launch. Does not use Immer, which takes quadratic time here. */
export const conversationReducer: Reducer<Conversation> = perSession(
  (conversation = emptyConversation, action) =>
    isOfType(action, updateApplied) ? applyUpdate(conversation, action.payload.update) : conversation,
);

/**
 * Keeps the number of the action that began this conversation: the session's launch or end, or a snapshot. While the number stays the
 * same, messages are only appended and only the last one changes, so a part that a window fetches belongs to the window's conversation.
 */
export const conversationStartReducer: Reducer<number> = (start = 0, action) =>
  beginsConversation(action) ? (sequenceNumber(action) ?? start) : start;

const beginsConversation = (action: unknown): boolean =>
  resetsSession(action) ||
  isOfType(action, snapshotApplied) ||
  (isOfType(action, updateApplied) && action.payload.update.kind === 'snapshot');

/** The fields of the newest snapshot that Parley does not use. The answer on `messenger` contains them (contract §5 other fields). */
export type SnapshotFields = Readonly<Record<string, unknown>>;

/** The fields before the first snapshot. */
export const NO_FIELDS: SnapshotFields = {};

export const snapshotFieldsReducer: Reducer<SnapshotFields> = perSession((fields = NO_FIELDS, action) => {
  if (!isOfType(action, updateApplied)) return fields;
  const { update } = action.payload;
  return update.kind === 'snapshot' ? unusedFields(update.frame) : fields;
});

/** Keeps the words of the newest snapshot, which the windows show as buttons. */
export const wordsReducer: Reducer<readonly Word[]> = perSession((words = NO_WORDS, action) => {
  if (!isOfType(action, updateApplied)) return words;
  const { update } = action.payload;
  return update.kind === 'snapshot' ? wordsOf(update.frame) : words;
});

/** Returns the fields of a snapshot that Parley does not use. */
export function unusedFields({ person: _person, messages: _messages, ...fields }: Snapshot): SnapshotFields {
  return fields;
}
