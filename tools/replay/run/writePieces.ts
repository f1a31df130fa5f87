import type { Output } from '../output.ts';

/** Short pieces are written together, about this many characters at a time. */
const PIECE = 64 * 1024;

/** Writes an answer that may be long, piece by piece. */
export function writePieces(output: Output, pieces: Iterable<string>): void {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    output.out(text);
    text = '';
  }
  if (text !== '') output.out(text);
}
