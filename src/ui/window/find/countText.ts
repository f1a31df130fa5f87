import type { SearchProgress } from '#ui/find/createSearch.ts';

const format = (count: number) => count.toLocaleString('en');

/** Returns the number of hits in words, with the number of the current hit: `3 of 552`. An ellipsis says that the search continues. */
export function countText({ count, isComplete }: SearchProgress, current: number | undefined): string {
  if (count === 0) return isComplete ? 'No hits' : '…';
  const total = `${format(count)}${isComplete ? '' : '…'}`;
  return current === undefined
    ? `${total} ${count === 1 ? 'hit' : 'hits'}`
    : `${format(current)} of ${total}`;
}
