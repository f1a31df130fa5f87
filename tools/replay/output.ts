/** Where a command writes: the answer on `out`, everything else on `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person reads `out` and `err`: colour and progress are for terminals only. */
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  /** How wide the terminal of `out` is, if it is one. */
  readonly columns?: number | undefined;
}

/** This process's own. */
export const processOutput: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isOutTerminal: process.stdout.isTTY,
  isErrTerminal: process.stderr.isTTY,
  columns: process.stdout.columns,
};
