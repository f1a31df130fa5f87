const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The memory of one update with its record in the queue, in bytes. */
const UPDATE_BYTES = 200;

/**
 * The memory of the value that begins at each structural character, in bytes: an object, an array, a further value, a
 * property. The numbers are upper bounds for eleven kinds of frames (the test measures them): from `{}` (160 bytes for 2 on
 * the wire) and arrays of empty objects (21 per byte on the wire) to files (1). The estimate is 0.9 to 5 times the heap size.
 */
const COSTS = new Uint8Array(256);
COSTS[0x7b] = 56; // {
COSTS[0x5b] = 56; // [
COSTS[0x2c] = 32; // ,
COSTS[0x3a] = 96; // :

/**
 * Estimates the memory of a decoded frame, in bytes. Structure needs far more memory than bytes on the wire, so the
 * structural characters outside of strings are counted.
 * @param frame the frame's UTF-8 text
 * @param characters the text's length in UTF-16 units: when it differs from the bytes, V8 may store 2 bytes for each
 */
export function estimateMemory(frame: Uint8Array, characters: number): number {
  let total = UPDATE_BYTES + (frame.length === characters ? characters : 2 * characters);
  for (let i = 0; i < frame.length; i++) {
    const byte = frame[i] ?? 0;
    if (byte === QUOTE) i = closingQuote(frame, i);
    else total += COSTS[byte] ?? 0;
  }
  return total;
}

/** Returns the index of the quote that ends the string at `start`. `indexOf` is native and fast for long strings. */
function closingQuote(frame: Uint8Array, start: number): number {
  for (let end = frame.indexOf(QUOTE, start + 1); end !== -1; end = frame.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (frame[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return frame.length;
}
