import type { Output } from '../output.ts';

/** A line on a terminal that says how far something is. */
export interface Progress {
  /** So many more are done. */
  advance(count: number): void;
  /** Takes the line away. */
  end(): void;
}

const QUIET_MS = 1000;
const BETWEEN_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Progress on a terminal, for what takes more than a second; elsewhere none.
 * @param now milliseconds of any clock.
 */
export function startProgress(total: number, output: Output, now: () => number): Progress {
  const start = now();
  let done = 0;
  let shownAt: number | undefined;
  return {
    advance(count) {
      done += count;
      const time = now();
      if (!output.isErrTerminal || time - start < QUIET_MS || time - (shownAt ?? 0) < BETWEEN_MS) return;
      shownAt = time;
      output.err(`${CLEAR_LINE}${done} of ${total} captures`);
    },
    end() {
      if (shownAt !== undefined) output.err(CLEAR_LINE);
    },
  };
}
