const THEN = /\.then(?=\.parley\.jsonl(?:\.gz)?$)/;

/**
 * Returns the captures of the same run of the program before a capture, by its name, in their order: `x.then.parley.jsonl` follows
 * `x.parley.jsonl`.
 */
export function capturesBefore(capture: string): string[] {
  const before = capture.replace(THEN, '');
  return before === capture ? [] : [...capturesBefore(before), before];
}
