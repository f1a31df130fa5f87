/** The length of the pieces that are given to the browser, in UTF-16 units: it stores them outside the page's memory. */
const PIECE_LENGTH = 1024 * 1024;

/** Collects the pieces of a text in a file. */
export async function toFile(pieces: AsyncIterable<string>, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  let waiting: string[] = [];
  let length = 0;
  const store = () => {
    parts.push(new Blob(waiting));
    waiting = [];
    length = 0;
  };
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length >= PIECE_LENGTH) store();
  }
  store();
  return new Blob(parts, { type });
}
