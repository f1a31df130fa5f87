import { type Clock, systemClock } from '#shared/clock.ts';
import type { Output } from './output.ts';
import { stat } from 'node:fs/promises';

/** A shorter task shows nothing. */
const QUIET_MS = 1000;
const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const ERASE_LINE = '\r\u001B[K';

/** Creates a line of progress of a long task on stderr, on a terminal only: `reading  ████████░░░░  34 %`. */
export function createProgress(output: Output, clock: Clock, label: string) {
  const start = clock.now();
  let drawnAt: number | undefined;
  const show = (text: string) => {
    const now = clock.now();
    const isEarly = now - start < QUIET_MS || (drawnAt !== undefined && now - drawnAt < REDRAW_MS);
    if (!output.isErrTerminal || isEarly) return;
    drawnAt = now;
    output.err(`${ERASE_LINE}${label}  ${text}`);
  };
  return {
    /** Shows the progress as a text. */
    show,
    /** @param done part of `total`, in any unit; `total` is 0 when it is unknown. */
    at: (done: number, total: number) => show(total > 0 ? bar(done / total) : `${done}`),
    /** Removes the line. */
    end() {
      if (drawnAt !== undefined) output.err(ERASE_LINE);
      drawnAt = undefined;
    },
  };
}

function bar(part: number): string {
  const share = Math.min(1, Math.max(0, part));
  const full = Math.round(share * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}  ${Math.floor(share * 100)} %`;
}

/** Creates the progress of reading a file. It must also be ended when reading fails. */
export async function fileProgress(output: Output, path: string) {
  // The reader reports a file that cannot be read.
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  const progress = createProgress(output, systemClock(globalThis), 'reading');
  return { onRead: (bytes: number) => progress.at(bytes, size), end: progress.end };
}
