import type { Action } from '@reduxjs/toolkit';

/** Marks an action that stays in main: electron-redux forwards no action of this scope, and it gets no number. */
const LOCAL = { scope: 'local' } as const;

/** A prepare callback's answer for an action that stays in main. */
export const local = <P>(payload: P) => ({ payload, meta: LOCAL });

/** Whether an action stays in main. */
export const isLocal = (action: Action): boolean =>
  'meta' in action &&
  typeof action.meta === 'object' &&
  action.meta !== null &&
  'scope' in action.meta &&
  action.meta.scope === 'local';
