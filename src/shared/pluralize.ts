/** Returns a count with its noun: `1 message`, `2 messages`. */
export const pluralize = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
