const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Returns the seconds that a response asks to wait, from its `Retry-After`: a number, or a date, which is compared with the
 * response's own date. Returns `undefined` when it asks for nothing that can be read.
 */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  if (SECONDS.test(value)) return Math.ceil(Number(value));
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.date ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(sent) ? Date.now() : sent)) / 1000));
}
