/** What is known about an action beside its code. docs/actions.md is written from it. */
export interface ActionEntry {
  /** Who dispatches it, and when. */
  readonly by: string;
  /** The fields of its payload; empty when it has none. */
  readonly payload: string;
  /**
   * The slices that it can change. Those of a window's own state begin with `own.`. `sequence`, which every forwarded action changes, is
   * left out.
   */
  readonly changes: readonly string[];
  /** Whether main forwards it to the windows. All others stay where they are dispatched. */
  readonly isForwarded: boolean;
  /** What a capture contains of it; `null` when it is not recorded. */
  readonly recorded: Recorded | null;
}

/** How an action is recorded. */
export interface Recorded {
  /** The first version of captures that contains it. */
  readonly version: 1 | 2;
  /**
   * The payload's fields whose texts redaction keeps, because they are codes of ours. It replaces every other text (docs/replay.md), and keeps
   * numbers, booleans and `null`.
   */
  readonly codes: readonly string[];
}

/** The entries of actions by type. */
export type ActionEntries = Readonly<Record<string, ActionEntry>>;

interface Details {
  readonly payload?: string;
  readonly changes?: readonly string[];
  readonly codes?: readonly string[];
}

const entry =
  (fixed: Pick<ActionEntry, 'isForwarded'> & { readonly version: 1 | 2 | null }) =>
  (by: string, { payload = '', changes = [], codes = [] }: Details = {}): ActionEntry => ({
    by,
    payload,
    changes,
    isForwarded: fixed.isForwarded,
    recorded: fixed.version === null ? null : { version: fixed.version, codes },
  });

/** An act of a person, or the result of one: it stays in main and is recorded. */
export const recorded = entry({ isForwarded: false, version: 1 });
/** As `recorded`, and the windows receive it. */
export const recordedAndForwarded = entry({ isForwarded: true, version: 1 });
/** Is recorded in captures of version 2 only. */
export const recordedLater = entry({ isForwarded: false, version: 2 });
/** As `recordedLater`, and the windows receive it. */
export const recordedLaterAndForwarded = entry({ isForwarded: true, version: 2 });
/** Stays in main and is not recorded. */
export const unrecorded = entry({ isForwarded: false, version: null });
/** The windows receive it; it is not recorded. */
export const forwarded = entry({ isForwarded: true, version: null });
