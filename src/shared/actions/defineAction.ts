import {
  type ActionCreatorWithPayload,
  type ActionCreatorWithPreparedPayload,
  type ActionCreatorWithoutPayload,
  createAction,
} from '@reduxjs/toolkit';
import { z } from 'zod';
import { LOCAL } from '../isOfType.ts';

/** What is known about an action beside its type. docs/actions.md is written from it. */
export interface ActionEntry {
  /** Who dispatches it, and when. */
  readonly by: string;
  /** The schema of its payload. */
  readonly payload: z.ZodType;
  /**
   * The slices that it can change. Those of a window's state begin with `own.`. `sequence`, which every forwarded action changes, is
   * left out.
   */
  readonly changes: readonly string[];
  /** Whether main forwards it to the windows. All others stay where they are dispatched. */
  readonly isForwarded: boolean;
  /** Whether main accepts it from a window, on the channel `action`. */
  readonly isFromWindow?: boolean;
  /** The contents that only its listener receives, if it has any. */
  readonly private?: PrivateContents | undefined;
  /** What a capture contains of it; `null` when it is not recorded. */
  readonly recorded: Recorded | null;
}

/** How an action is recorded. */
interface Recorded {
  /** The first version of captures that contains it. */
  readonly version: 1 | 2;
  /**
   * The payload's fields whose texts redaction keeps, because they are codes of ours. It replaces every other text (docs/replay.md), and keeps
   * numbers, booleans and `null`.
   */
  readonly codes: readonly string[];
}

/** The private contents of an action: their schema, and the payload that is made from them. */
interface PrivateContents {
  readonly schema: z.ZodType;
  readonly payloadOf: (contents: unknown) => unknown;
}

/** An action creator with its entry: one row of the table of actions. */
export type Defined<C> = C & { readonly entry: ActionEntry };

/** Returns a creator with its entry. */
export const defined = <C extends { readonly type: string }>(creator: C, entry: ActionEntry): Defined<C> =>
  Object.assign(creator, { entry });

interface Details {
  readonly changes?: readonly string[];
  readonly codes?: readonly string[];
  readonly fromWindow?: true;
}

/** The details of an action with a payload. */
interface WithPayload<P> extends Details {
  readonly payload: z.ZodType<P>;
}

/** The details of an action whose payload is made from the arguments of its creator. */
interface Prepared<P, Args extends unknown[]> extends WithPayload<P> {
  readonly prepare: (...args: Args) => P;
}

/**
 * The details of an action with contents that only its listener receives, in `meta.private`: main's store takes them off before the reducers, the recorder
 * and the windows see the action. The payload is made from them.
 */
interface WithPrivate<P, S> extends Details {
  readonly private: z.ZodType<S>;
  readonly payload?: z.ZodType<P>;
  readonly prepare: (contents: S) => P;
}

interface AnyDetails extends Details {
  readonly payload?: z.ZodType;
  readonly prepare?: (...args: unknown[]) => unknown;
  readonly private?: z.ZodType;
}

interface Flags {
  readonly isForwarded: boolean;
  readonly version: Recorded['version'] | null;
  readonly isFromWindow?: boolean;
}

const NOTHING = z.undefined();
const same = (payload: unknown) => payload;

const entryOf = (
  by: string,
  { payload = NOTHING, changes = [], codes = [], prepare = same, ...details }: AnyDetails,
  { isForwarded, version, isFromWindow = details.fromWindow ?? false }: Flags,
): ActionEntry => ({
  by,
  payload,
  changes,
  isForwarded,
  isFromWindow,
  private: details.private && { schema: details.private, payloadOf: prepare },
  recorded: version === null ? null : { version, codes },
});

/** The creator of an action that is marked to stay in main. */
type LocalCreator<T extends string, P, Args extends unknown[]> = Defined<
  ActionCreatorWithPreparedPayload<Args, P, T, never, typeof LOCAL>
>;

/** The mark of an action that stays in main, with contents for its listener only. */
export type PrivateMeta<S> = typeof LOCAL & { readonly private: S };

/** Returns a function that defines actions that stay in main. */
function local(version: Flags['version']) {
  function define<T extends string, P, S>(
    type: T,
    by: string,
    details: WithPrivate<P, S>,
  ): Defined<ActionCreatorWithPreparedPayload<[contents: S], P, T, never, PrivateMeta<S>>>;
  function define<T extends string, P, Args extends unknown[]>(
    type: T,
    by: string,
    details: Prepared<P, Args>,
  ): LocalCreator<T, P, Args>;
  function define<T extends string, P>(
    type: T,
    by: string,
    details: WithPayload<P>,
  ): LocalCreator<T, P, [payload: P]>;
  function define<T extends string>(type: T, by: string, details?: Details): LocalCreator<T, undefined, []>;
  function define(type: string, by: string, details: AnyDetails = {}) {
    const { prepare = same } = details;
    const creator = createAction(type, (...args: unknown[]) => ({
      payload: prepare(...args),
      meta: details.private === undefined ? LOCAL : { ...LOCAL, private: args[0] },
    }));
    return defined(creator, entryOf(by, details, { isForwarded: false, version }));
  }
  return define;
}

/** Returns a function that defines actions without a mark. */
function unmarked(flags: Flags) {
  function define<T extends string, P, Args extends unknown[]>(
    type: T,
    by: string,
    details: Prepared<P, Args>,
  ): Defined<ActionCreatorWithPreparedPayload<Args, P, T>>;
  function define<T extends string, P>(
    type: T,
    by: string,
    details: WithPayload<P>,
  ): Defined<ActionCreatorWithPayload<P, T>>;
  function define<T extends string>(
    type: T,
    by: string,
    details?: Details,
  ): Defined<ActionCreatorWithoutPayload<T>>;
  function define(type: string, by: string, details: AnyDetails = {}) {
    const { prepare } = details;
    const creator =
      prepare === undefined
        ? createAction(type)
        : createAction(type, (...args: unknown[]) => ({ payload: prepare(...args) }));
    return defined(creator, entryOf(by, details, flags));
  }
  return define;
}

/** A user action, or its result: it stays in main and is recorded. */
export const recorded = local(1);
/** As `recorded`, in captures of version 2 only. */
export const recordedLater = local(2);
/** Stays in main and is not recorded. */
export const unrecorded = local(null);
/** The windows receive it, and it is recorded. */
export const recordedAndForwarded = unmarked({ isForwarded: true, version: 1 });
/** As `recordedAndForwarded`, in captures of version 2 only. */
export const recordedLaterAndForwarded = unmarked({ isForwarded: true, version: 2 });
/** The windows receive it; it is not recorded. */
export const forwarded = unmarked({ isForwarded: true, version: null });
/** A window dispatches it about its state; main marks it with the window, and records it. */
export const ofWindowState = unmarked({ isForwarded: false, version: 2, isFromWindow: true });
/** A window dispatches it for its copy of the shared state. It reaches nothing else. */
export const withinWindow = unmarked({ isForwarded: false, version: null });
