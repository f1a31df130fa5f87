import { walkCaptures } from './walkCaptures.ts';

/**
 * Returns the captures that arguments select, sorted, without duplicates, as `walkCaptures` finds them.
 * @throws {UsageError} for a folder or a glob without captures, and for stdin.
 */
export async function findCaptures(given: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of walkCaptures(given)) found.push(path);
  return found.sort();
}
