import type { Action } from '@reduxjs/toolkit';
import { NEWEST_PART_LENGTH, WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import { wordsOf } from '#shared/conversation/conversation.ts';
import type { Snapshot } from '#shared/protocol/update.ts';
import { snapshotApplied, updateApplied } from '#shared/actions/sessionActions.ts';
import { itemForWindows, messageForWindows } from './blobReferences.ts';
import { partForWindows } from './partForWindows.ts';
import { type OnTooLong, nameForWindows, tooLongUpdate } from './tooLong.ts';
import { isOfType } from '#shared/isOfType.ts';

/**
 * Returns an action as the windows receive it: a snapshot with its newest messages only, a long blob as a reference. All
 * other actions are returned unchanged.
 */
export function actionForWindows(action: Action, onTooLong?: OnTooLong): Action {
  if (!isOfType(action, updateApplied)) return action;
  const { update, bytes, tick, known = 0 } = action.payload;
  if (update.kind === 'snapshot')
    return { ...action, ...snapshotApplied({ ...partsForWindows(update.frame, onTooLong), tick, known }) };
  const notice = bytes > WINDOW_MESSAGE_LENGTH ? tooLongUpdate(update) : undefined;
  if (notice !== undefined) {
    onTooLong?.();
    return withFrame(action, notice.frame);
  }
  if (update.kind === 'message') return withFrame(action, messageForWindows(update.frame));
  if (update.kind === 'content') return withFrame(action, itemForWindows(update.frame));
  return action;
}

function partsForWindows(snapshot: Snapshot, onTooLong?: OnTooLong) {
  const { person, messages = [] } = snapshot;
  const { length } = messages;
  const at = (index: number) => messages[index] ?? {};
  const newest = partForWindows({ length, at }, { before: length, limit: NEWEST_PART_LENGTH, onTooLong });
  return { person: nameForWindows(person), newest, words: wordsOf(snapshot) };
}

function withFrame(action: ReturnType<typeof updateApplied>, frame: object): Action {
  const { payload } = action;
  if (frame === payload.update.frame) return action;
  return Object.assign({}, action, { payload: { ...payload, update: { ...payload.update, frame } } });
}
