import { setImmediate } from 'node:timers/promises';
import type { Output } from '../base/output.ts';

/** Short pieces are joined to about this many characters. */
const PIECE = 64 * 1024;

/** Writes a long output piece by piece; the event loop runs between them, so that signals are handled. */
export async function writePieces(output: Output, pieces: Iterable<string>): Promise<void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    output.out(text);
    text = '';
    await setImmediate();
  }
  if (text !== '') output.out(text);
}
