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
