import { join } from 'node:path';
import { createClient } from '#hostauth/api/client.ts';
import type { Benchmark, BenchmarkResult, Progress } from '../base/benchmark.ts';
import { type Load, generateLoad } from './generateLoad.ts';
import { type PamAccount, createPamAccount } from './createPamAccount.ts';
import { type Program, startProgram } from './startProgram.ts';
import { startService } from './startService.ts';
import { startWrongLogins } from './startWrongLogins.ts';
import { withTemporaryFolder } from '../base/withTemporaryFolder.ts';
import { runInRounds, median } from '../base/measure.ts';

const CONNECTIONS = 32;
const ROUNDS = 9;
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
        limit: 0.6,
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
