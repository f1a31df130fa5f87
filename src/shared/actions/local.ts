import type { Action } from '@reduxjs/toolkit';

/** The meta of an action that stays in main: electron-redux does not forward it, and it gets no sequence number. */
export const LOCAL = { scope: 'local' } as const;

/** Returns whether an action stays in main. */
export const isLocal = (action: Action): boolean =>
  'meta' in action &&
  typeof action.meta === 'object' &&
  action.meta !== null &&
  'scope' in action.meta &&
  action.meta.scope === 'local';
