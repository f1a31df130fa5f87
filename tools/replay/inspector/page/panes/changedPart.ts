/** Finds where two texts differ: `before` and `after` are without the common start and end. */
interface ChangedPart {
  readonly start: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Returns the parts of two texts between their common beginning and their common end. */
export function changedPart(before: string, after: string): ChangedPart {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    start: before.slice(0, start),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    end: end === 0 ? '' : before.slice(-end),
  };
}
