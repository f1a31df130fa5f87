const BACKSLASH = 0x5c;

/** Returns the index of the closing quote of the JSON string that begins at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Returns whether an odd number of backslashes precedes a quote; `false` for -1. */
function isEscaped(text: string, quote: number): boolean {
  let isOdd = false;
  for (let at = quote - 1; text.charCodeAt(at) === BACKSLASH; at--) isOdd = !isOdd;
  return isOdd;
}
