import { type Middleware, type Reducer, createAction, isAction } from '@reduxjs/toolkit';
import { isLocal } from './local.ts';

/** Says the number of the last forwarded action, so that a window notices when it missed the last one. */
export const heartbeat = createAction<number>('sync/heartbeat');

/** The number of an action, if it has one. */
export function sequenceOf(action: unknown): number | undefined {
  if (!isAction(action) || !('meta' in action)) return undefined;
  const { meta } = action;
  if (typeof meta !== 'object' || meta === null || !('seq' in meta)) return undefined;
  return typeof meta.seq === 'number' ? meta.seq : undefined;
}

/** The number of the last numbered action: one more with each. It goes with the state, so a snapshot knows its place. */
export const sequenceReducer: Reducer<number> = (sequence = 0, action) => sequenceOf(action) ?? sequence;

/** The fields of a flux-standard action, the only kind that electron-redux forwards. */
const STANDARD: ReadonlySet<string> = new Set(['type', 'payload', 'meta', 'error']);

/**
 * Numbers what will be forwarded to the windows, in main's order: every standard action that is not local. It must be
 * the innermost middleware, so that the number is taken when the action is reduced.
 */
export const sequenceMiddleware: Middleware<object, { readonly sequence: number }> =
  ({ getState }) =>
  (next) =>
  (action) => {
    if (!isAction(action) || isLocal(action) || heartbeat.match(action)) return next(action);
    if (!Object.keys(action).every((key) => STANDARD.has(key))) return next(action);
    const meta = 'meta' in action && typeof action.meta === 'object' ? action.meta : {};
    return next({ ...action, meta: { ...meta, seq: getState().sequence + 1 } });
  };
