import type { Clock } from '#shared/time/clock.ts';
import type { Output } from './output.ts';

/** Says how far something long has come, on a terminal only. */
export interface Progress {
  /** @param done of `total`, in any unit; a total that is not known is 0. */
  at(done: number, total: number): void;
  /** The same in words. */
  say(words: string): void;
  /** Takes the line away. */
  end(): void;
}

/** Nothing is said of what takes less than this. */
const QUIET_MS = 1000;
const REDRAW_MS = 100;
const BAR = 24;
const ERASE_LINE = '\r\u001B[K';

/** A line of progress on stderr: `reading  ████████░░░░  34 %`. */
export function createProgress(output: Output, clock: Clock, label: string): Progress {
  const start = clock.now();
  let drawnAt: number | undefined;
  const say = (words: string) => {
    const now = clock.now();
    const isEarly = now - start < QUIET_MS || (drawnAt !== undefined && now - drawnAt < REDRAW_MS);
    if (!output.isErrTerminal || isEarly) return;
    drawnAt = now;
    output.err(`${ERASE_LINE}${label}  ${words}`);
  };
  return {
    say,
    at: (done, total) => say(total > 0 ? bar(done / total) : `${done}`),
    end() {
      if (drawnAt !== undefined) output.err(ERASE_LINE);
      drawnAt = undefined;
    },
  };
}

function bar(part: number): string {
  const share = Math.min(1, Math.max(0, part));
  const full = Math.round(share * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}  ${Math.floor(share * 100)} %`;
}
