/*
 * An attempt to sign in, and the limits of failures for its address, and for its address and username (contract §8):
 *
 *   enter ──▶ waiting ──▶ running ── settle(true) ───▶ ended, counted as a failure
 *     │          │           └────── settle(false) ──▶ ended
 *     └──────────┴─ a limit is reached ──────────────▶ refused
 *
 * An attempt in progress counts as a possible failure: at most as many attempts run at once as failures are left, for each
 * limit. So 100 wrong passwords sent at once get no further than 100 sent one after the other, and right ones all succeed.
 */
import { normalizeIP } from '@fastify/rate-limit';
import { Mutex } from 'async-mutex';
import { z } from 'zod';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems.ts';
import { type Clock, pause } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { clientAddress } from './hostCheck.ts';

const WINDOW_MS = 60_000;
/** The most attempts that wait for one limit and key; as many as wait for PAM. */
const WAITING = 64;
/** One more than the longest name of an account. */
const NAME_LENGTH = 33;

/** Ends an attempt. */
type EndAttempt = (failed: boolean) => Promise<void>;

/** Limits the failed attempts of a name and of an address. */
export interface FailureLimit {
  /**
   * Waits until an attempt may run.
   * @throws {Problem} `too-many-failures`, or `busy` when too many wait.
   */
  enter(request: FastifyRequest): Promise<EndAttempt>;
}

/** The attempts of one key. */
interface Attempts {
  running: number;
  readonly waiting: (() => void)[];
}

/** One limit: the failures a minute for each key. */
interface Limit {
  /**
   * Returns the attempts to wait for, or `undefined` when the attempt may run.
   * @throws {Problem} `too-many-failures`.
   */
  attemptsAtLimit(request: FastifyRequest): Promise<Attempts | undefined>;
  /** Counts an attempt as running. */
  begin(request: FastifyRequest): void;
  /** Ends a running attempt and wakes those that wait. */
  settle(request: FastifyRequest, failed: boolean): Promise<void>;
}

/** IPv6 addresses count by their /64: a client with one of them has all of them. */
const addressOf = (request: FastifyRequest): string => normalizeIP(clientAddress(request), 64);

/** The body of both sign-ins, JSON or form. */
const named = z.object({ username: z.string() });

function addressAndNameOf(request: FastifyRequest): string {
  const { username } = named.parse(request.body);
  return `${addressOf(request)} ${username.slice(0, NAME_LENGTH)}`;
}

function createLimit(app: FastifyInstance, max: number, keyOf: (request: FastifyRequest) => string): Limit {
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator: keyOf });
  const attemptsByKey = new Map<string, Attempts>();
  return {
    async attemptsAtLimit(request) {
      const counted = await count(request, { increment: false });
      if (counted.isAllowed) return undefined;
      if (counted.remaining === 0) throw new Problem('too-many-failures', counted.ttlInSeconds);
      const attempts = attemptsByKey.get(keyOf(request));
      return attempts !== undefined && attempts.running >= counted.remaining ? attempts : undefined;
    },
    begin(request) {
      const key = keyOf(request);
      const attempts = attemptsByKey.get(key) ?? { running: 0, waiting: [] };
      attempts.running++;
      attemptsByKey.set(key, attempts);
    },
    async settle(request, failed) {
      const key = keyOf(request);
      if (failed) await count(request);
      const attempts = attemptsByKey.get(key);
      if (attempts === undefined) return;
      attempts.running--;
      if (attempts.running === 0) attemptsByKey.delete(key);
      for (const resolve of attempts.waiting.splice(0)) resolve();
    },
  };
}

/** Creates the limits. @param app with `@fastify/rate-limit`, which counts the failures. */
export function createFailureLimit(
  app: FastifyInstance,
  { failures, addressFailures }: Pick<Config, 'failures' | 'addressFailures'>,
): FailureLimit {
  const limits = [createLimit(app, addressFailures, addressOf), createLimit(app, failures, addressAndNameOf)];
  // Counting is asynchronous: the counts and the running attempts must not change between a check and its result.
  const mutex = new Mutex();

  /** Starts an attempt, or returns when to try again. */
  async function tryToRun(request: FastifyRequest): Promise<{ readonly retry: Promise<void> } | 'runs'> {
    for (const limit of limits) {
      // oxlint-disable-next-line no-await-in-loop -- the first limit that is reached decides
      const attempts = await limit.attemptsAtLimit(request);
      if (attempts === undefined) continue;
      if (attempts.waiting.length >= WAITING) throw new Problem('busy', 1);
      return { retry: new Promise((resolve) => attempts.waiting.push(resolve)) };
    }
    for (const limit of limits) limit.begin(request);
    return 'runs';
  }

  return {
    async enter(request) {
      for (;;) {
        const outcome = await mutex.runExclusive(() => tryToRun(request));
        if (outcome === 'runs') break;
        await outcome.retry;
      }
      return (failed) =>
        mutex.runExclusive(async () => {
          for (const limit of limits) await limit.settle(request, failed);
        });
    },
  };
}

/** The times after which refusals are sent. */
interface FailureTimes {
  /** A refusal is sent after a multiple of this. */
  readonly floorMs: number;
  /** A random time up to this is added. */
  readonly jitterMs: number;
}

/** PAM takes about 35 ms for an account that exists, and less for one that does not. */
const FAILURE_TIMES: FailureTimes = { floorMs: 500, jitterMs: 50 };

interface DelayFailureOptions {
  readonly clock: Clock;
  readonly times?: FailureTimes;
  /** Returns a number from 0 to less than 1. */
  readonly random: () => number;
}

/** Waits until a refusal may be sent. @param startedAt when its request arrived, on the monotonic clock. */
export type DelayFailure = (startedAt: number) => Promise<void>;

/**
 * Creates the delay of refusals. Their time does not reveal whether an account exists or why it was refused: it is the next
 * multiple of `floorMs`. A timer waits, no thread.
 */
export const createDelayFailure =
  ({ clock, times = FAILURE_TIMES, random }: DelayFailureOptions): DelayFailure =>
  (startedAt) => {
    const { floorMs, jitterMs } = times;
    const taken = clock.monotonic() - startedAt;
    const floors = Math.max(1, Math.ceil(taken / floorMs));
    return pause(clock, floors * floorMs + random() * jitterMs - taken);
  };
