import { z } from 'zod';
import type { ActionEntry } from './defineAction.ts';
import * as main from './mainActions.ts';
import * as session from './sessionActions.ts';
import * as user from './userActions.ts';
import * as window from './windowActions.ts';

/** The entries of actions by type. */
type ActionEntries = Readonly<Record<string, ActionEntry>>;

/** Returns the entries of the creators that a module exports. */
export const entriesOf = (
  creators: Readonly<Record<string, { readonly type: string; readonly entry: ActionEntry }>>,
): ActionEntries => Object.fromEntries(Object.values(creators).map(({ type, entry }) => [type, entry]));

/** The sections of docs/actions.md: every action of the program. */
export const ACTION_SECTIONS = {
  user: entriesOf(user),
  main: { ...entriesOf(main), ...entriesOf(session) },
  window: entriesOf(window),
} as const;

/** Every action of the program by type. A test fails when an action creator is missing. */
export const ACTIONS: ActionEntries = {
  ...ACTION_SECTIONS.user,
  ...ACTION_SECTIONS.main,
  ...ACTION_SECTIONS.window,
};

const find = (type: unknown): ActionEntry | undefined =>
  typeof type === 'string' && Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;

/** Returns whether the app records actions of this type. An action that is not in the table is not recorded. */
export const isRecorded = (type: string): boolean => (find(type)?.recorded ?? null) !== null;

/** An action of a window about its own state. */
export type OwnAction = {
  readonly type: string;
  /** Plain data; `undefined` when the action has none. */
  readonly payload?: unknown;
};

/** Returns whether a value, which may be of any type, has the type of a window's own action. */
export const isOwnAction = (action: unknown): action is OwnAction => OWN_TYPES.has(Object(action).type);

const OWN_TYPES: ReadonlySet<unknown> = new Set(Object.keys(ACTION_SECTIONS.window));

const actionSchema = z.strictObject({ type: z.string(), payload: z.unknown().optional() });

/** Parses what a window sends as its own action; returns `undefined` when it is not in the table or not valid. */
export function parseOwnAction(value: unknown): OwnAction | undefined {
  const action = actionSchema.safeParse(value).data;
  if (!isOwnAction(action)) return undefined;
  const payload = find(action.type)?.payload.safeParse(action.payload);
  return payload?.success === true ? { type: action.type, payload: payload.data } : undefined;
}
