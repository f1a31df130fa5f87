export const NEWLINE = 0x0a;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as text; `undefined` when they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many good lines stand before the first that is not UTF-8. */
export function goodLines(bytes: Uint8Array): number {
  let lines = 0;
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
    if (utf8Text(bytes.subarray(from, end)) === undefined) break;
    from = end + 1;
    lines++;
  }
  return lines;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** A text without the mark that some programs write before it. */
export const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
