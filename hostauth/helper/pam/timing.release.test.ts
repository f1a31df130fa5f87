import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { readConfig } from '../../base/config.ts';
import { FAILURE_TIMES } from '../../http/guards/failureLimit.ts';
import { type RunningServer, startServer } from '../../http/startServer.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createHostHelper } from '../helper.ts';

/** Sign-ins at once, half of them of names that exist. */
const BURST = 120;
/** Accounts and names that share a burst. */
const NAMES = 12;

/** Bursts are repeated while the result could be chance: a real difference grows with their number, chance does not. */
const FEWEST_BURSTS = 5;
const MOST_BURSTS = 24;
/** In standard deviations: one in 20 measurements exceeds the first by chance, one in 25 million the second. */
const SUSPICIOUS = 2;
const CERTAIN = 5.5;

const WRONG = 'not the password at all';

/** Two kinds of refused sign-ins: PAM takes longer for one of them. */
type Kinds = readonly [readonly Credentials[], readonly Credentials[]];

const mayBeChance = ({ deviation }: { readonly deviation: number }) => deviation < CERTAIN;

const some = (create: () => Credentials) => Array.from({ length: NAMES }, create);

function nth(kind: readonly Credentials[], i: number): Credentials {
  const one = kind[i % kind.length];
  if (one === undefined) throw new Error('a kind must not be empty');
  return one;
}

/** All bursts, with the longest times for which a refusal uses its slot. */
const TIMEOUT_MS = 1_200_000;

describe.runIf(isRoot)('refusals of the whole service, over real PAM', { timeout: TIMEOUT_MS }, () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let logged = '';
  /** The different answers to refused sign-ins. */
  const seen = new Set<string>();
  const passwords: string[] = [];
  let server: RunningServer;

  beforeAll(async () => {
    const log = new Writable({
      write(chunk, _, done) {
        logged += String(chunk);
        done();
      },
    });
    server = await startServer({
      config: readConfig({
        HOSTAUTH_PORT: '0',
        HOSTAUTH_FAILURES: '1000000',
        HOSTAUTH_ADDRESS_FAILURES: '1000000',
      }),
      helper: createHostHelper({
        log: () => undefined,
        config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service }),
        key: randomBytes(32),
        // The whole burst can wait for PAM, also on a busy machine.
        pam: { childPath: hostauthProgram('pamChild'), waiting: BURST, timeoutMs: 120_000 },
      }),
      logger: pino({ level: 'trace' }, log),
    });
  }, 60_000);
  afterAll(() => server.close());

  /** Signs in; returns the time in milliseconds. */
  async function signIn({ username, password }: Credentials): Promise<number> {
    const start = performance.now();
    const response = await fetch(`${server.url}/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const body = await response.text();
    const ms = performance.now() - start;
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    seen.add(JSON.stringify([response.status, headers, body]));
    return ms;
  }

  /**
   * Sends both kinds at once, in pairs: of a pair, one is as late in the queue as the other. Chance decides which of a pair
   * is sent first. Otherwise the pairs that the queue separates could all have the same order: answers are sent at multiples
   * of a time, so neighbours are separated together, and in patterns. Counts the pairs in which one of a kind was answered
   * at least half of the time that answers come in before the other.
   */
  async function burst([first, second]: Kinds, random: () => number) {
    const differences = await Promise.all(
      Array.from({ length: BURST / 2 }, async (_, i) => {
        const pair = [nth(first, i), nth(second, i)];
        if (random() < 0.5) {
          const [firstMs = Number.NaN, secondMs = Number.NaN] = await Promise.all(pair.map(signIn));
          return secondMs - firstMs;
        }
        const [secondMs = Number.NaN, firstMs = Number.NaN] = await Promise.all(
          pair.toReversed().map(signIn),
        );
        return secondMs - firstMs;
      }),
    );
    const half = FAILURE_TIMES.floorMs / 2;
    return {
      firstEarlier: differences.filter((ms) => ms > half).length,
      secondEarlier: differences.filter((ms) => ms < -half).length,
    };
  }

  /** Returns by how many standard deviations one kind was answered first more often than by chance (sign test). */
  async function measureDeviation(kinds: Kinds) {
    passwords.push(...kinds.flat().map(({ password }) => password));
    const random = seededRandom(BURST);
    let [earlier, later] = [0, 0];
    for (let bursts = 1; ; bursts++) {
      const { firstEarlier, secondEarlier } = await burst(kinds, random);
      earlier += firstEarlier;
      later += secondEarlier;
      const all = earlier + later;
      const deviation = all === 0 ? 0 : Math.abs(earlier - later) / Math.sqrt(all);
      const isChance = bursts >= FEWEST_BURSTS && deviation < SUSPICIOUS;
      if (isChance || deviation > CERTAIN || bursts === MOST_BURSTS) return { earlier, later, deviation };
    }
  }

  test('120 wrong sign-ins at once do not reveal which names exist, by which of them are answered first', async () => {
    const known = some(() => ({ ...accounts.create(), password: WRONG }));
    const unknown = some(() => ({ username: accounts.name(), password: WRONG }));
    const result = await measureDeviation([unknown, known]);
    expect(result).toSatisfy(mayBeChance);
  });

  test('contract §8 401: 120 refused sign-ins at once do not reveal why, by which of them are answered first', async () => {
    const withoutHash: readonly Credentials[] = [
      accounts.create({ state: 'locked' }),
      accounts.create({ state: 'blank' }),
      { username: 'root', password: WRONG },
      { username: 'n'.repeat(33), password: WRONG },
      { username: 'na\0me', password: WRONG },
      { username: '', password: WRONG },
      { ...accounts.create(), password: 'p'.repeat(127) },
    ];
    const withHash: readonly Credentials[] = [
      { ...accounts.create(), password: WRONG },
      accounts.create({ state: 'expired' }),
      accounts.create({ state: 'must-change' }),
    ];
    const result = await measureDeviation([withoutHash, withHash]);
    expect(result).toSatisfy(mayBeChance);
  });

  test('contract §8 401: all of them have the same answer, and no password is logged', () => {
    expect([...seen]).toEqual([expect.stringContaining('[401,')]);
    expect(logged).toContain('sign-in failed');
    expect(passwords.filter((password) => password !== '' && logged.includes(password))).toEqual([]);
  });
});
