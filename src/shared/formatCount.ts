/** Formats a whole number: `12,345`. Does not use `Intl.NumberFormat`, whose data adds 11 ms to a page's start. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
