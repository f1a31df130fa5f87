import { type Action, createAction } from '@reduxjs/toolkit';
import type { Update } from '../protocol/update.ts';
import { isOfType } from '../isOfType.ts';
import { sequenceNumber } from '../store/sequence.ts';
import { updateApplied } from '../store/updates.ts';

/**
 * Carries several forwarded actions in main's order, as a JSON array: one text crosses to a window faster than many objects. An applied
 * update, by far the most frequent action, is a tuple in it: without the action's field names the text has two thirds of the length, and a
 * window parses it in half the time.
 */
export const actionsForwarded = createAction('sync/actionsForwarded', (actions: readonly Action[]) => ({
  payload: JSON.stringify(actions.map(toEntry)),
}));

type AppliedEntry = readonly [seq: number, kind: Update['kind'], frame: object, bytes: number, tick: number];

function toEntry(action: Action): Action | AppliedEntry {
  const seq = sequenceNumber(action);
  if (seq === undefined || !isOfType(action, updateApplied)) return action;
  const { update, bytes, tick } = action.payload;
  return [seq, update.kind, update.frame, bytes, tick];
}

/**
 * Parses the actions that main forwarded together.
 * @throws {Error} when the text is not a list.
 */
export function parseForwarded(text: string): unknown[] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new TypeError('Not a list of actions.');
  return entries.map(fromEntry);
}

function fromEntry(entry: unknown): unknown {
  if (!Array.isArray(entry)) return entry;
  const [seq, kind, frame, bytes, tick]: readonly unknown[] = entry;
  return { type: updateApplied.type, payload: { update: { kind, frame }, bytes, tick }, meta: { seq } };
}
