import { UsageError } from '../base/errors.ts';

/** One of several parts, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Parses `i/n`, for commander. */
export function shard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new UsageError('--shard takes i/n, such as 1/3: the first of three parts');
  }
  return { index, of };
}

/** Returns the captures of a shard. Neighbors go to different shards, because long captures are often neighbors in a folder. */
export const selectShard = (captures: readonly string[], part: Shard | undefined): readonly string[] =>
  part === undefined ? captures : captures.filter((_, i) => i % part.of === part.index - 1);
