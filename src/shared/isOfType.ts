import type { Action } from '@reduxjs/toolkit';

/** An action creator of Redux Toolkit. */
interface Creator<A extends Action> {
  readonly type: string;
  readonly match: (action: unknown) => action is A;
}

/**
 * Returns whether an action has the creator's type. Every action passes many of these checks, so this one only compares the types:
 * `match` also walks the action's prototypes, which a store does once for each action.
 * @param action may be any value: a message from a page may be no action.
 */
export const isOfType = <A extends Action>(action: unknown, creator: Creator<A>): action is A =>
  typeOf(action) === creator.type;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const typeOf = (action: unknown): unknown => (action as Partial<Action> | null | undefined)?.type;

/** An action that no reducer knows: without a state, a reducer returns its initial one. */
export const NO_ACTION: Action = { type: '' };

/** The meta of an action that stays in main: electron-redux does not forward it, and it gets no sequence number. */
export const LOCAL = { scope: 'local' } as const;

/** Returns whether an action stays in main. */
export const isLocal = (action: Action): boolean =>
  'meta' in action &&
  typeof action.meta === 'object' &&
  action.meta !== null &&
  'scope' in action.meta &&
  action.meta.scope === 'local';
