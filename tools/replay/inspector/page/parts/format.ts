import { formatCount } from '#shared/formatText.ts';

export { formatCount };

/** Formats a count with its noun: `1 step`, `2 steps`. */
export const formatPlural = (count: number, what: string): string =>
  `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
