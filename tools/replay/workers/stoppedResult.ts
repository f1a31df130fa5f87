/** The fields of every result of a capture. */
export interface Finished {
  readonly capture: string;
  /** Duration, milliseconds. */
  readonly ms: number;
  /** Problems that do not prevent the use of the file. */
  readonly warnings: readonly string[];
}

/** The replayed code used too much time or memory, or ended its worker; `problem` is one line that names the file. */
export type StoppedResult = Finished & { readonly outcome: 'stopped'; readonly problem: string };
