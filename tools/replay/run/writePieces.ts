import { setImmediate } from 'node:timers/promises';
import type { Output } from '../base/output.ts';

/** Short pieces are written together, about this many characters at a time. */
const PIECE = 64 * 1024;

/** Writes an answer that may be long, piece by piece; between them the loop turns, so that a signal is heard. */
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
