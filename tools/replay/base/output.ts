/** Where a command writes: the answer on `out`, everything else on `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Whether `out` is coloured: it is a terminal, and NO_COLOR is not set. */
  readonly isOutColored: boolean;
  /** Whether a person reads `err`: progress is for terminals only. */
  readonly isErrTerminal: boolean;
  /** How wide the terminal of `out` is, if it is one. */
  readonly columns?: number | undefined;
}

/** Returns whether a stream is coloured (https://no-color.org: an empty NO_COLOR does not count). */
export const isColored = (
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR: noColor = '' }: Readonly<Record<string, string | undefined>>,
): boolean => isTTY === true && noColor === '';

/** This process's own. */
export const processOutput: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isOutColored: isColored(process.stdout, process.env),
  isErrTerminal: process.stderr.isTTY,
  columns: process.stdout.columns,
};
