/*
 * An attempt to sign in, held against the failures of its address and username (contract §8):
 *
 *   enter ──▶ waiting ──▶ running ── settle(failed) ──▶ over, and counted
 *     │          │           └────── settle(otherwise) ▶ over
 *     └──────────┴─ as many failures as are allowed ──▶ refused
 *
 * Never do more run at once than failures are left: a hundred wrong passwords sent together get no further than ten sent
 * one after the other, while any number of right ones all come through.
 */
import { normalizeIP } from '@fastify/rate-limit';
import { Mutex } from 'async-mutex';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';
import { credentialsSchema } from './schemas.ts';

const WINDOW_MS = 60_000;
/** As many as wait for PAM at most. */
const WAITING = 64;
/** No account's name is longer. */
const NAME_LENGTH = 33;

/** Ends an attempt; true: it has failed. */
export type Settle = (failed: boolean) => Promise<void>;

export interface FailureLimit {
  /**
   * Lets an attempt begin, when its time has come.
   * @throws {Problem} `too-many-failures`, or `busy` when too many wait.
   */
  enter(request: FastifyRequest): Promise<Settle>;
}

/** What is under way for one address and username. */
interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** IPv6 addresses count by their /64: whoever has one has them all. */
function keyOf({ ip, body }: FastifyRequest): string {
  const { username } = credentialsSchema.parse(body);
  return `${normalizeIP(ip)} ${username.slice(0, NAME_LENGTH)}`;
}

/** @param app with `@fastify/rate-limit`, which counts the failures. */
export function createFailureLimit(app: FastifyInstance, max: number): FailureLimit {
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator: keyOf });
  const lanes = new Map<string, Lane>();
  // What is counted and what runs must fit together whenever they are looked at, and counting takes a moment.
  const mutex = new Mutex();

  /** Lets it run, or tells when it is worth while to ask again. */
  async function tryToRun(request: FastifyRequest): Promise<{ readonly turn: Promise<void> } | 'runs'> {
    const key = keyOf(request);
    const counted = await count(request, { increment: false });
    if (counted.isAllowed) return 'runs';
    if (counted.remaining === 0) throw new Problem('too-many-failures', counted.ttlInSeconds);
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    if (lane.running < counted.remaining) {
      lane.running++;
      lanes.set(key, lane);
      return 'runs';
    }
    if (lane.waiting.length >= WAITING) throw new Problem('busy', 1);
    return { turn: new Promise((wake) => lane.waiting.push(wake)) };
  }

  async function settle(request: FastifyRequest, failed: boolean): Promise<void> {
    const key = keyOf(request);
    const lane = lanes.get(key);
    if (failed) await count(request);
    if (lane === undefined) return;
    lane.running--;
    if (lane.running === 0) lanes.delete(key);
    for (const wake of lane.waiting.splice(0)) wake();
  }

  return {
    async enter(request) {
      for (;;) {
        const outcome = await mutex.runExclusive(() => tryToRun(request));
        if (outcome === 'runs') break;
        await outcome.turn;
      }
      return (failed) => mutex.runExclusive(() => settle(request, failed));
    },
  };
}
