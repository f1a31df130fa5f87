/** Length of the pieces in which code is highlighted, in UTF-16 units: a piece takes about 10 ms. */
const PIECE_LENGTH = 2000;

/** Splits code into pieces after line ends. Joined, they are the code. A line that is longer than a piece is a piece of its own. */
export function splitCode(code: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < code.length;) {
    const end = code.length - start <= PIECE_LENGTH ? code.length : pieceEnd(code, start);
    pieces.push(code.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Returns the end of the last line that ends within the piece, or else of the piece's first line. */
function pieceEnd(code: string, start: number): number {
  const lastLine = start + code.slice(start, start + PIECE_LENGTH).lastIndexOf('\n') + 1;
  if (lastLine > start) return lastLine;
  const lineEnd = code.indexOf('\n', start);
  return lineEnd === -1 ? code.length : lineEnd + 1;
}
