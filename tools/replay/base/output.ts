import { once } from 'node:events';
import { visibleName } from './visibleText.ts';
import { setImmediate } from 'node:timers/promises';
import { inPieces } from '#shared/capture/captureFormat.ts';

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Resolves when `out` accepts more text without holding it in memory. */
  flushed?(): Promise<void>;
  /** Whether `out` is a terminal. */
  readonly isOutTerminal?: boolean;
  /** Whether `out` is colored: it is a terminal, and NO_COLOR is not set. */
  readonly isOutColored: boolean;
  /** Whether `err` is a terminal: progress is shown only there. */
  readonly isErrTerminal: boolean;
  /** The width of the terminal of `out`, if it is a terminal. */
  readonly columns?: number | undefined;
}

/** Returns whether a stream is colored (https://no-color.org: an empty NO_COLOR does not count). */
export const isColored = (
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR: noColor = '' }: Readonly<Record<string, string | undefined>>,
): boolean => isTTY === true && noColor === '';

/** Writes to this process's stdout and stderr. */
export const processOutput: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async flushed() {
    // After an error of stdout, no drain follows.
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(() => undefined);
  },
  isOutTerminal: process.stdout.isTTY,
  isOutColored: isColored(process.stdout, process.env),
  isErrTerminal: process.stderr.isTTY,
  columns: process.stdout.columns,
};

/** Prints warnings on stderr, one per line. */
export function printWarnings(output: Output, warnings: readonly string[]): void {
  for (const warning of warnings) output.err(`warning: ${visibleName(warning)}\n`);
}

/** Writes a long output piece by piece; the event loop runs between them, so that signals are handled. */
export async function writePieces(output: Output, pieces: Iterable<string>): Promise<void> {
  for (const piece of inPieces(pieces)) {
    output.out(piece);
    await setImmediate();
  }
}
