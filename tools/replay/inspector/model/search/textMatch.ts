import { SessionError } from '../trace/app.ts';

/** Returns a function that tells whether a text contains a part, ignoring case. */
export function containsText(part: string): (text: string) => boolean {
  const wanted = part.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

/**
 * Returns a function that tells whether a text contains a match of a regular expression. For some patterns, such as `(a+)+$`, it can compute
 * forever: the page ends a worker that does (see `watchWorker`).
 * @throws {SessionError} when the pattern or a flag is not valid.
 */
export function matchesPattern(source: string, flags = ''): (text: string) => boolean {
  if (!/^[ims]*$/.test(flags)) throw new SessionError('The flags of a pattern are i, m and s.');
  try {
    const pattern = new RegExp(source, flags);
    return (text) => pattern.test(text);
  } catch (cause) {
    throw new SessionError(`This is not a valid regular expression: /${source}/${flags}.`, { cause });
  }
}
