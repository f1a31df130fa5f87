/** A change that brings a fixed fault back. */
export interface Edit {
  /** From the repository's root. */
  readonly file: string;
  /** A part of the file as it is now; it occurs exactly once. */
  readonly now: string;
  /** What stands there without the fix. */
  readonly without: string;
}

/** One fix, and the scenario whose short form must fail without it. */
export interface Revert {
  /** What the fix does. */
  readonly name: string;
  readonly scenario: string;
  /** A part of the assertion that must fail; left out, any. */
  readonly assertion?: string;
  /** More than one where a fault is caught in several places. */
  readonly edits: readonly Edit[];
}

/** The text without the fix, or `undefined` when the part does not occur exactly once. */
export function withoutFix(text: string, { now, without }: Edit): string | undefined {
  const parts = text.split(now);
  return parts.length === 2 ? parts.join(without) : undefined;
}
