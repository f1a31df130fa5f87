/** A change of one file that takes a fix out. */
export interface Edit {
  /** Relative to the repository. */
  readonly file: string;
  /** A part of the file with the fix. It occurs exactly once. */
  readonly now: string;
  /** What replaces it. */
  readonly without: string;
}

/** A fix, and the scenario whose short form must fail without it. */
export interface Revert {
  /** What the fix does. */
  readonly name: string;
  readonly scenario: string;
  /** A part of the name of the assertion that must fail. By default any assertion counts. */
  readonly assertion?: string;
  /** Several when more than one place prevents the fault. */
  readonly edits: readonly Edit[];
}

/** Returns the text of a file without the fix, or `undefined` when `now` does not occur exactly once. */
export function withoutFix(text: string, { now, without }: Edit): string | undefined {
  const parts = text.split(now);
  return parts.length === 2 ? parts.join(without) : undefined;
}
