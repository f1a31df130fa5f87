import { join } from 'node:path';
import { createClient } from '#hostauth/client.ts';
import type { Benchmark, BenchmarkResult, Progress } from './benchmark.ts';
import { type Load, load } from './hostauth/load.ts';
import { PAM_CHILD } from './hostauth/pamChild.ts';
import { createPamVictim } from './hostauth/pamVictim.ts';
import { type Program, startProgram } from './hostauth/startProgram.ts';
import { wrongLogins } from './hostauth/wrongLogins.ts';
import { inFolder } from './inFolder.ts';
import { inTurns, median } from './measure.ts';

const CONNECTIONS = 32;
const ROUNDS = 9;
const ROUND_S = 2;
const FLOOD_S = 8;
const WRONG_LOGINS = 50;

const loadMe = (url: string, token: string, seconds = ROUND_S): Promise<Load> =>
  load({ url: `${url}/me`, token, connections: CONNECTIONS, seconds });

/** An answer's header fields, but for those that `node:http` writes itself, as names and values in turns. */
async function answerOf(url: string, token: string): Promise<readonly [fields: string, body: string]> {
  const response = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
  const own = new Set(['date', 'connection', 'keep-alive']);
  const fields = [...response.headers].filter(([name]) => !own.has(name)).flat();
  return [JSON.stringify(fields), await response.text()];
}

/** The rounds of bare `node:http` and of the service, in this order. */
async function roundsOf(service: Program, log: string, progress: Progress) {
  const { token } = await createClient({ baseUrl: service.url }).signIn({ username: 'bench', password: '' });
  const bare = await startProgram('bench/hostauth/bare.ts', await answerOf(service.url, token), log);
  try {
    const runs = [bare.url, service.url].map((url) => () => loadMe(url, token));
    return await inTurns(runs, { rounds: ROUNDS, progress });
  } finally {
    await bare.close();
  }
}

/** How fast both are. */
async function measureMe(service: Program, log: string, progress: Progress): Promise<BenchmarkResult> {
  const rounds = await roundsOf(service, log, progress);
  const rowOf = (what: string, i: number) => ({
    what,
    'GET /me/s': median(rounds.map((loads) => loads[i]?.perSecond ?? Number.NaN)),
    'p99, ms': median(rounds.map((loads) => loads[i]?.p99 ?? Number.NaN)),
    'wrong logins/s': 0,
  });
  return {
    rows: [rowOf('bare node:http', 0), rowOf('as shipped', 1)],
    targets: [
      {
        name: 'GET /me, of bare node:http with the same bytes',
        measured: median(
          rounds.map(([bareLoad, ours]) => (ours?.perSecond ?? 0) / (bareLoad?.perSecond ?? 0)),
        ),
        bound: 'at least',
        limit: 0.35,
      },
    ],
  };
}

/** How long an answer takes while passwords are guessed. */
async function measureFlood(
  { url }: Program,
  username: string,
  progress: Progress,
): Promise<BenchmarkResult> {
  progress(`${WRONG_LOGINS} wrong logins at once`);
  const { token } = await createClient({ baseUrl: url }).signIn({ username: 'bench', password: '' });
  const flood = wrongLogins({ baseUrl: url, username, count: WRONG_LOGINS });
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
        limit: 50,
      },
    ],
  };
}

/** The host-auth service as it is shipped, held against bare `node:http`, and under a flood of wrong passwords. */
export const hostauthBenchmark: Benchmark = {
  name: 'hostauth',
  title: `The host-auth service: GET /me over ${CONNECTIONS} connections`,
  run: (progress) =>
    inFolder(async (folder) => {
      const log = join(folder, 'service.log');
      const victim = createPamVictim();
      const service = await startProgram('bench/hostauth/service.ts', [victim.service, PAM_CHILD], log);
      try {
        const me = await measureMe(service, log, progress);
        const flood = await measureFlood(service, victim.username, progress);
        return { rows: [...me.rows, ...flood.rows], targets: [...me.targets, ...flood.targets] };
      } finally {
        await service.close();
        victim.remove();
      }
    }),
};
