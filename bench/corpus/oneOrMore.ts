import { InvalidArgumentError } from 'commander';

/** Parses a whole number from 1 on, for commander. */
export function oneOrMore(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
}
