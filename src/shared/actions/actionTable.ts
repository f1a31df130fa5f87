import { z } from 'zod';
import { LOCAL } from '../isOfType.ts';
import type { ActionEntry } from './defineAction.ts';
import * as main from './mainActions.ts';
import * as output from './outputActions.ts';
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
  window: { ...entriesOf(window), ...entriesOf(output) },
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

/** An action of a window about its state. */
export type WindowStateAction = {
  readonly type: string;
  /** Plain data; `undefined` when the action has none. */
  readonly payload?: unknown;
};

/** Returns whether a value, which may be of any type, has the type of an action of a window's state. */
export const isWindowStateAction = (action: unknown): action is WindowStateAction =>
  WINDOW_STATE_TYPES.has(Object(action).type);

const WINDOW_STATE_TYPES: ReadonlySet<unknown> = new Set(Object.keys(ACTION_SECTIONS.window));

/** A user action, as its creator makes it. */
export type UserAction = ReturnType<(typeof user)[keyof typeof user]>;

/** What a window may send beside the type: the marks of creators, but no window. */
const sentSchema = z.strictObject({
  type: z.string(),
  payload: z.unknown().optional(),
  meta: z.strictObject({ scope: z.unknown().optional(), private: z.unknown().optional() }).optional(),
});

/**
 * Parses an action that a window sends; returns `undefined` when windows may not send it, or it is not valid. The marks and the payload of private contents
 * follow from the table, whatever the window sends.
 */
export function parseSentAction(value: unknown): (WindowStateAction & { readonly meta: object }) | undefined {
  const sent = sentSchema.safeParse(value).data;
  const entry = find(sent?.type);
  if (sent === undefined || entry?.isFromWindow !== true) return undefined;
  const scope = entry.isForwarded ? {} : LOCAL;
  const { private: contents } = entry;
  if (contents === undefined) {
    const payload = entry.payload.safeParse(sent.payload);
    const isValid = payload.success && sent.meta?.private === undefined;
    return isValid ? { type: sent.type, payload: payload.data, meta: scope } : undefined;
  }
  const parsed = contents.schema.safeParse(sent.meta?.private);
  if (!parsed.success) return undefined;
  const payload = contents.payloadOf(parsed.data);
  return { type: sent.type, payload, meta: { ...scope, private: parsed.data } };
}

/** Returns the fields of the payload with a schema, as docs/actions.md names them, or its description; an empty text when there is none. */
export function payloadFields(schema: unknown): string {
  if (schema === undefined || schema instanceof z.ZodUndefined) return '';
  if (!(schema instanceof z.ZodType)) throw new TypeError('a schema of zod is expected');
  if (schema.description !== undefined) return schema.description;
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).join(', ');
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodNullable)
    return payloadFields(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) throw new TypeError('the payload of an action needs a description');
  return [...new Set(schema.options.flatMap((option) => payloadFields(option).split(', ')))].join(', ');
}
