import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/hostAccounts.ts';
import { readConfig } from '../../base/config.ts';
import { FAILURE_TIMES } from '../../http/guards/delayFailure.ts';
import { type RunningServer, startServer } from '../../http/server.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createHostHelper } from '../hostHelper.ts';

/** Sign-ins at once, half of them of names that exist. */
const BURST = 120;
/** Accounts and names that share a burst. */
const NAMES = 12;
const BURSTS = 5;

const WRONG = 'not the password at all';

const some = (create: () => Credentials) => Array.from({ length: NAMES }, create);

function nth(kind: readonly Credentials[], i: number): Credentials {
  const one = kind[i % kind.length];
  if (one === undefined) throw new Error('a kind must not be empty');
  return one;
}

describe.runIf(isRoot)('refusals of the whole service, over real PAM', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let logged = '';
  /** The different answers to refused sign-ins. */
  const seen = new Set<string>();
  const passwords: string[] = [];
  let program: Awaited<ReturnType<typeof buildProgram>>;
  let server: RunningServer;

  beforeAll(async () => {
    program = await buildProgram('hostauth/helper/pam/child.ts');
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
        pam: { childPath: program.path, waiting: BURST, timeoutMs: 120_000 },
      }),
      logger: pino({ level: 'trace' }, log),
    });
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await program.remove();
  });

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
   * Sends both kinds at once, in pairs whose order changes from pair to pair: of a pair, one is as late in the queue as
   * the other. Counts the pairs in which one of a kind was answered at least half of the time that answers come in before
   * the other.
   */
  async function burst(kinds: readonly [readonly Credentials[], readonly Credentials[]], flip: number) {
    const pairs = Array.from({ length: BURST / 2 }, (_, i) => {
      const pair = kinds.map((kind) => nth(kind, i));
      const isFlipped = (i + flip) % 2 === 1;
      return { pair: isFlipped ? pair.toReversed() : pair, isFlipped };
    });
    const answered = await Promise.all(
      pairs.map(async ({ pair, isFlipped }) => {
        const times = await Promise.all(pair.map(signIn));
        const [first = Number.NaN, second = Number.NaN] = isFlipped ? times.toReversed() : times;
        return second - first;
      }),
    );
    const half = FAILURE_TIMES.floorMs / 2;
    return {
      firstEarlier: answered.filter((ms) => ms > half).length,
      secondEarlier: answered.filter((ms) => ms < -half).length,
    };
  }

  /** Returns by how many standard deviations one kind was answered first more often than by chance (sign test). */
  async function deviation(kinds: readonly [readonly Credentials[], readonly Credentials[]]) {
    passwords.push(...kinds.flat().map(({ password }) => password));
    let [earlier, later] = [0, 0];
    for (let i = 0; i < BURSTS; i++) {
      const { firstEarlier, secondEarlier } = await burst(kinds, i);
      earlier += firstEarlier;
      later += secondEarlier;
    }
    const all = earlier + later;
    return { earlier, later, deviation: all === 0 ? 0 : Math.abs(earlier - later) / Math.sqrt(all) };
  }

  test('120 wrong sign-ins at once do not reveal which names exist, by which of them are answered first', async () => {
    const known = some(() => ({ ...accounts.create(), password: WRONG }));
    const unknown = some(() => ({ username: accounts.name(), password: WRONG }));
    const result = await deviation([unknown, known]);
    expect(result.deviation).toBeLessThan(3);
  });

  test('contract §8 401: 120 refused sign-ins at once do not reveal why, by which of them are answered first', async () => {
    const wrong = some(() => ({ ...accounts.create(), password: WRONG }));
    const other: readonly Credentials[] = [
      accounts.create({ state: 'locked' }),
      accounts.create({ state: 'expired' }),
      accounts.create({ state: 'must-change' }),
      accounts.create({ state: 'blank' }),
      { username: 'root', password: WRONG },
      { username: 'n'.repeat(33), password: WRONG },
      { username: 'na\0me', password: WRONG },
      { username: '', password: WRONG },
      { ...accounts.create(), password: 'p'.repeat(127) },
    ];
    const result = await deviation([other, wrong]);
    expect(result.deviation).toBeLessThan(3);
  });

  test('contract §8 401: all of them have the same answer, and no password is logged', () => {
    expect([...seen]).toEqual([expect.stringContaining('[401,')]);
    expect(logged).toContain('sign-in failed');
    expect(passwords.filter((password) => password !== '' && logged.includes(password))).toEqual([]);
  });
});
