import { type Middleware, type Reducer, isAction } from '@reduxjs/toolkit';
import { heartbeat } from '../actions/sessionActions.ts';
import { isLocal, isOfType } from '../isOfType.ts';

/** Returns the sequence number of an action, or `undefined` when it has none. */
export function sequenceNumber(action: unknown): number | undefined {
  if (typeof action !== 'object' || action === null || !('type' in action && 'meta' in action))
    return undefined;
  const { type, meta } = action;
  if (typeof type !== 'string') return undefined;
  if (typeof meta !== 'object' || meta === null || !('seq' in meta)) return undefined;
  return typeof meta.seq === 'number' ? meta.seq : undefined;
}

/** Keeps the number of the last numbered action. It is part of the state, so a fetched state contains its own number. */
export const sequenceReducer: Reducer<number> = (sequence = 0, action) => sequenceNumber(action) ?? sequence;

/** The fields of a flux-standard action, the only kind that electron-redux forwards. */
const STANDARD: ReadonlySet<string> = new Set(['type', 'payload', 'meta', 'error']);

/**
 * Numbers the actions that are forwarded to the windows, in main's order: every flux-standard action that is not local. It must be the
 * innermost middleware, so that an action gets its number when it is reduced.
 */
export const sequenceMiddleware: Middleware<object, { readonly sequence: number }> =
  ({ getState }) =>
  (next) =>
  (action) => {
    if (!isAction(action) || isLocal(action) || isOfType(action, heartbeat)) return next(action);
    if (!Object.keys(action).every((key) => STANDARD.has(key))) return next(action);
    const meta = 'meta' in action && typeof action.meta === 'object' ? action.meta : {};
    return next({ ...action, meta: { ...meta, seq: getState().sequence + 1 } });
  };
