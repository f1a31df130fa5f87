/** A program that applies a log of entries to a state, for example a store or an engine of the replay. */
export interface Resumable<State, Entry> {
  take(entry: Entry): void;
  /** Returns the current state: plain data. */
  state(): State;
}

/** Returns a copy of plain data, as it is after it was stored. */
export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Applies a log to a program, which restarts from the JSON of its state before each entry in `cuts`. Returns the last state. */
export function runWithRestarts<State, Entry>(
  start: (state?: State) => Resumable<State, Entry>,
  log: readonly Entry[],
  cuts: ReadonlySet<number> = new Set(),
): State {
  let program = start();
  for (const [index, entry] of log.entries()) {
    if (cuts.has(index)) program = start(throughJson(program.state()));
    program.take(entry);
  }
  return program.state();
}
