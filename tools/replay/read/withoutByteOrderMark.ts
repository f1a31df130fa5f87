const BYTE_ORDER_MARK = '\uFEFF';

/** Removes the byte order mark that some programs write before a text. */
export const withoutByteOrderMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
