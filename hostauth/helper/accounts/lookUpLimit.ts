import type { Clock } from '../../base/clock.ts';
import { LookUpError } from './lookUp.ts';
import { createConcurrencyLimiter } from '../../base/concurrencyLimiter.ts';

/** Each lookup is a process: a directory that does not answer must not fill the host with them. */
const CONCURRENCY = 16;
const WAITING = 256;
/** The longest wait for a slot. */
const WAIT_MS = 5000;

/**
 * Runs a lookup when fewer than 16 run.
 * @throws {LookUpError} when too many wait, or this one has waited for 5 s.
 */
type LimitLookUp = <T>(lookUp: () => Promise<T>) => Promise<T>;

/** Limits how many lookups run at once. */
export function createLookUpLimit(clock: Pick<Clock, 'after'>): LimitLookUp {
  const limiter = createConcurrencyLimiter({
    concurrency: CONCURRENCY,
    waiting: WAITING,
    timeoutMs: WAIT_MS,
    clock,
  });
  return async (lookUp) => {
    const outcome = await limiter.run(async () => ({ value: await lookUp() }));
    if (outcome === undefined) throw new LookUpError('too many lookups wait');
    return outcome.value;
  };
}
