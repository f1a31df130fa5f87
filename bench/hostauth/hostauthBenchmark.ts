import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { z } from 'zod';
import { HostauthError, createClient } from '#hostauth/api/client.ts';
import type { Credentials } from '#hostauth/link/helperProtocol.ts';
import {
  createTemporaryAccounts,
  createTemporaryPamService,
} from '#tests/builders/createTemporaryAccounts.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  median,
  runInRounds,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { type Program, startProgram, startService } from './startService.ts';

const CONNECTIONS = 32;
const ROUNDS = 15;
const ROUND_S = 2;
const FLOOD_S = 8;
const WRONG_LOGINS = 50;

interface Measurement {
  readonly service: Program;
  readonly account: PamAccount;
  /** The file for logs. */
  readonly log: string;
  readonly progress: Progress;
}

const credentialsOf = ({ username, password }: PamAccount) => ({ username, password });

const loadMe = (url: string, token: string, seconds = ROUND_S): Promise<Load> =>
  generateLoad({ url: `${url}/me`, token, connections: CONNECTIONS, seconds });

/** Returns the header fields of an answer, without those that `node:http` adds, and its body. */
async function fetchAnswer(url: string, token: string): Promise<readonly [fields: string, body: string]> {
  const response = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
  const own = new Set(['date', 'connection', 'keep-alive']);
  const fields = [...response.headers].filter(([name]) => !own.has(name)).flat();
  return [JSON.stringify(fields), await response.text()];
}

/** Measures bare `node:http` and the service in rounds; results are in this order. */
async function measureRounds({ service, log, progress, account }: Measurement) {
  const { token } = await createClient({ baseUrl: service.url }).signIn(credentialsOf(account));
  const bare = await startProgram('bench/hostauth/bare.ts', await fetchAnswer(service.url, token), log);
  try {
    const runs = [bare.url, service.url].map((url) => () => loadMe(url, token));
    return await runInRounds(runs, { rounds: ROUNDS, progress });
  } finally {
    await bare.close();
  }
}

/** Compares the speed of `GET /me` with that of bare `node:http`. */
async function measureMe(measurement: Measurement): Promise<BenchmarkResult> {
  const rounds = await measureRounds(measurement);
  const toRow = (what: string, i: number) => ({
    what,
    'GET /me/s': median(rounds.map((loads) => loads[i]?.perSecond ?? Number.NaN)),
    'p99, ms': median(rounds.map((loads) => loads[i]?.p99 ?? Number.NaN)),
    'wrong logins/s': 0,
  });
  return {
    rows: [toRow('bare node:http', 0), toRow('as shipped', 1)],
    targets: [
      {
        name: 'GET /me, of bare node:http with the same bytes',
        measured: median(
          rounds.map(([bareLoad, ours]) => (ours?.perSecond ?? 0) / (bareLoad?.perSecond ?? 0)),
        ),
        bound: 'at least',
        limit: 0.55,
      },
    ],
  };
}

/** Measures `GET /me` while passwords are guessed. */
async function measureFlood({ service: { url }, account, progress }: Measurement): Promise<BenchmarkResult> {
  progress(`${WRONG_LOGINS} wrong logins at once`);
  const { token } = await createClient({ baseUrl: url }).signIn(credentialsOf(account));
  const flood = startWrongLogins({ baseUrl: url, username: account.username, count: WRONG_LOGINS });
  const start = performance.now();
  const { perSecond, p99 } = await loadMe(url, token, FLOOD_S);
  const refused = await flood.stop();
  const logins = (refused / (performance.now() - start)) * 1000;
  const what = `as shipped, ${WRONG_LOGINS} wrong logins at once`;
  return {
    rows: [{ what, 'GET /me/s': perSecond, 'p99, ms': p99, 'wrong logins/s': logins }],
    targets: [
      {
        name: `p99 of GET /me while ${WRONG_LOGINS} wrong logins are running, ms`,
        measured: p99,
        bound: 'at most',
        limit: 20,
      },
    ],
  };
}

/** Compares the shipped hostauth service with bare `node:http`, also during a flood of wrong passwords. */
export const hostauthBenchmark: Benchmark = {
  title: `The host-auth service: GET /me over ${CONNECTIONS} connections`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      if (process.getuid?.() !== 0) {
        progress('not measured: only root can create an account');
        return { rows: [], targets: [] };
      }
      const log = join(folder, 'service.log');
      const account = createPamAccount();
      const service = await startService(account.service, log);
      try {
        const measurement = { service, log, account, progress };
        const me = await measureMe(measurement);
        const flood = await measureFlood(measurement);
        return { rows: [...me.rows, ...flood.rows], targets: [...me.targets, ...flood.targets] };
      } finally {
        await service.close();
        account.remove();
      }
    }),
};

/** An account that signs in and whose password is guessed, and its PAM service. */
interface PamAccount extends Credentials {
  readonly service: string;
  remove(): void;
}

/** The shipped PAM file without its limit of five failures, after which PAM would do nothing. */
const UNLIMITED = 'auth required pam_unix.so nodelay noreap\naccount required pam_unix.so\n';

/** Creates an account on this host, with a slow password hash. Needs root. */
function createPamAccount(): PamAccount {
  const accounts = createTemporaryAccounts();
  const pam = createTemporaryPamService(UNLIMITED);
  return {
    service: pam.service,
    ...accounts.create(),
    remove() {
      accounts.removeAll();
      pam.remove();
    },
  };
}

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

/** The part of autocannon's result that is used. */
const resultSchema = z.object({
  duration: z.number().positive(),
  errors: z.literal(0),
  non2xx: z.literal(0),
  '2xx': z.number().positive(),
  latency: z.object({ p99: z.number() }),
});

/** The options of `generateLoad`. */
interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

/** The load that the service handled. */
interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/**
 * Sends requests to an address as fast as they are answered. Runs in its own process, because autocannon's results are
 * complete only in the main thread of a process.
 * @throws {Error} when an answer is not a success.
 */
async function generateLoad({ url, token, connections, seconds }: LoadOptions): Promise<Load> {
  const options = ['--json', '-c', String(connections), '-d', String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, [
    AUTOCANNON,
    ...options,
    '-H',
    `authorization=Bearer ${token}`,
    url,
  ]);
  const { duration, latency, ...result } = resultSchema.parse(JSON.parse(stdout));
  return { perSecond: result['2xx'] / duration, p99: latency.p99 };
}

/** Wrong logins that run until they are stopped. */
interface WrongLogins {
  /** Waits for the current logins. Returns how many were refused for their credentials. */
  stop(): Promise<number>;
}

/** The options of `startWrongLogins`. */
interface WrongLoginsOptions {
  readonly baseUrl: string;
  readonly username: string;
  /** Number of logins at once. */
  readonly count: number;
}

/** Starts wrong logins. A new one follows each that is refused. */
function startWrongLogins({ baseUrl, username, count }: WrongLoginsOptions): WrongLogins {
  const client = createClient({ baseUrl });
  const stopped = new AbortController();
  let refused = 0;

  async function attempt(): Promise<void> {
    try {
      await client.signIn({ username, password: 'wrong' });
    } catch (error) {
      if (!(error instanceof HostauthError)) throw error;
      const { status } = error.problem;
      // 503: it waited too long for PAM, which happens on a busy machine.
      if (status !== 401 && status !== 503) throw error;
      if (status === 401) refused++;
    }
  }

  async function repeat(): Promise<void> {
    while (!stopped.signal.aborted) await attempt();
  }

  const all = Promise.all(Array.from({ length: count }, repeat));
  return {
    async stop() {
      stopped.abort();
      await all;
      return refused;
    },
  };
}
