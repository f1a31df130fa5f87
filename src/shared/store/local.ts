import { type Action, createAction } from '@reduxjs/toolkit';

/** The meta of an action that stays in main: electron-redux does not forward it, and it gets no sequence number. */
const LOCAL = { scope: 'local' } as const;

/** Returns the result of a prepare callback for an action that stays in main. */
export const local = <P>(payload: P) => ({ payload, meta: LOCAL });

/** Creates an action without a payload that stays in main. */
export const createLocalAction = (type: string) => createAction(type, () => local(undefined));

/** Returns whether an action stays in main. */
export const isLocal = (action: Action): boolean =>
  'meta' in action &&
  typeof action.meta === 'object' &&
  action.meta !== null &&
  'scope' in action.meta &&
  action.meta.scope === 'local';
