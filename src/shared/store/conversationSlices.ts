import type { Reducer } from '@reduxjs/toolkit';
import {
  arrivalsRecalled,
  snapshotApplied,
  updateApplied,
  type ReleasedUpdate,
} from '../actions/sessionActions.ts';
import { applyUpdate } from '../conversation/applyUpdate.ts';
import {
  type Conversation,
  emptyConversation,
  NO_WORDS,
  type Word,
  wordsOf,
} from '../conversation/conversation.ts';
import {
  type Vector,
  append,
  emptyVector,
  filledVector,
  itemAt,
  toArray,
  vectorOf,
} from '../conversation/vector.ts';
import { isOfType } from '../isOfType.ts';
import type { Snapshot } from '../protocol/update.ts';
import { inSession, resetsSession } from './inSession.ts';
import { sequenceNumber } from './sessionMiddleware.ts';

/** Folds the updates that were applied since the session's launch. Does not use Immer, which takes quadratic time here. */
export const conversationReducer: Reducer<Conversation> = (state, action) => {
  const conversation = inSession(state, action) ?? emptyConversation;
  return isOfType(action, updateApplied) ? applyUpdate(conversation, action.payload.update) : conversation;
};

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

export const snapshotFieldsReducer: Reducer<SnapshotFields> = (state, action) => {
  const fields = inSession(state, action) ?? NO_FIELDS;
  if (!isOfType(action, updateApplied)) return fields;
  const { update } = action.payload;
  return update.kind === 'snapshot' ? unusedFields(update.frame) : fields;
};

/** Keeps the words of the newest snapshot, which the windows show as buttons. */
export const wordsReducer: Reducer<readonly Word[]> = (state, action) => {
  const words = inSession(state, action) ?? NO_WORDS;
  if (!isOfType(action, updateApplied)) return words;
  const { update } = action.payload;
  return update.kind === 'snapshot' ? wordsOf(update.frame) : words;
};

/** Returns the fields of a snapshot that Parley does not use. */
export function unusedFields({ person: _person, messages: _messages, ...fields }: Snapshot): SnapshotFields {
  return fields;
}

/**
 * Counts the updates that were applied since the session's launch, without notifications, which windows do not receive. The view scrolls to
 * the bottom when the number changes: after each update, also after one that changes nothing (spec §4.4 item 4).
 */
export const appliedUpdatesReducer: Reducer<number> = (state, action) => {
  const count = inSession(state, action) ?? 0;
  return isOfType(action, updateApplied) && action.payload.update.kind !== 'notification' ? count + 1 : count;
};

/**
 * When each message arrived: the tick of its update, in milliseconds since the session's launch; negative in an earlier session. `null` for a message that
 * a snapshot contained and that was not known before.
 */
export type Arrivals = Vector<number | null>;

/** Reduces the arrivals: one for each message of the conversation, at its index. */
export const arrivalsReducer: Reducer<Arrivals> = (state, action) => {
  const arrivals = inSession(state, action) ?? emptyVector();
  if (isOfType(action, updateApplied)) return withArrivals(arrivals, action.payload);
  if (!isOfType(action, arrivalsRecalled)) return arrivals;
  const { from, arrivals: recalled } = action.payload;
  return vectorOf(toArray(arrivals).map((one, at) => one ?? recalled[at - from] ?? null));
};

/** Returns the arrivals after an applied update. */
export function withArrivals(
  arrivals: Arrivals,
  { update, tick, known }: Pick<ReleasedUpdate, 'update' | 'tick' | 'known'>,
): Arrivals {
  if (update.kind === 'message') return append<number | null>(arrivals, tick);
  if (update.kind !== 'snapshot') return arrivals;
  return arrivalsOfSnapshot(arrivals, { length: update.frame.messages?.length ?? 0, known, tick });
}

/** A snapshot that was applied at `tick`. */
interface SnapshotArrival extends Pick<ReleasedUpdate, 'tick'> {
  /** The number of its messages, and how many of the first ones the conversation contained before. */
  readonly length: number;
  readonly known: number | undefined;
}

/**
 * Returns the arrivals after a snapshot. Known messages keep theirs. When it repeats the whole conversation, as after a reconnect, its further
 * messages arrived with it.
 */
export function arrivalsOfSnapshot(arrivals: Arrivals, { length, known, tick }: SnapshotArrival): Arrivals {
  if (!known) return filledVector<number | null>(length, null);
  const further = known === arrivals.length ? tick : null;
  return vectorOf(Array.from({ length }, (_, i) => (i < known ? (itemAt(arrivals, i) ?? null) : further)));
}
