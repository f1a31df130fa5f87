import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/hostAccounts.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../http/server.ts';
import type { Credentials } from './authenticator.ts';
import { createHostHelper } from '../hostHelper.ts';

const TRIES = 40;
/** The first start the PAM processes, and do not count. */
const WARM_UP = 2;
const AT_ONCE = 2;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe.runIf(isRoot)('refusals of the whole service, over real PAM', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let logged = '';
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
        config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service }),
        key: randomBytes(32),
        pamChild: program.path,
      }),
      logger: pino({ level: 'trace' }, log),
    });
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await program.remove();
  });

  /** What a refusal looks like from outside, and its time in milliseconds. */
  async function signIn({ username, password }: Credentials) {
    const start = performance.now();
    const response = await fetch(`${server.url}/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const body = await response.text();
    const ms = performance.now() - start;
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { ms, seen: JSON.stringify([response.status, headers, body]) };
  }

  test('40 tries of each kind in turns, the same answer in the same time', { timeout: 120_000 }, async () => {
    const password = 'not the password at all';
    const kinds: readonly Credentials[] = [
      { ...accounts.create(), password },
      { username: accounts.name(), password },
      accounts.create({ state: 'blank' }),
      accounts.create({ state: 'locked' }),
      accounts.create({ state: 'expired' }),
      { username: 'root', password },
      { ...accounts.create(), password: 'p'.repeat(127) },
    ];
    const rows = kinds.map((credentials) => ({ credentials, times: Array<number>() }));
    const seen = new Set<string>();
    for (let round = 0; round < WARM_UP + TRIES; round += AT_ONCE) {
      // As many of each at a time: the machine is as busy for all of them.
      await Promise.all(
        rows.flatMap(({ credentials, times }) =>
          Array.from({ length: AT_ONCE }, async () => {
            const refusal = await signIn(credentials);
            if (round >= WARM_UP) times.push(refusal.ms);
            seen.add(refusal.seen);
          }),
        ),
      );
    }
    expect(seen.size).toBe(1);
    expect([...seen][0]).toContain('[401,');
    const medians = rows.map(({ times }) => median(times));
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.1);
    expect(logged).toContain('sign-in failed');
    const secrets = kinds.map((credentials) => credentials.password).filter((secret) => secret !== '');
    expect(secrets.filter((secret) => logged.includes(secret))).toEqual([]);
  });
});
