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

/** Parses `i/n` with `i` from 0, for commander: Kubernetes numbers the pods of a job so. */
export function shardIndex(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index >= of) {
    throw new UsageError('--shard-index takes i/n with i from 0, such as 0/3: the first of three parts');
  }
  return { index: index + 1, of };
}

/**
 * Returns whether a capture belongs to a shard. Depends only on the capture's name, so it is the same on every machine, whatever other
 * captures there are: 32 bits of FNV-1a over the name's UTF-8, mixed as in MurmurHash3, modulo the number of shards.
 */
export const isInShard = (name: string, { index, of }: Shard): boolean => hashName(name) % of === index - 1;

const encoder = new TextEncoder();

function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
