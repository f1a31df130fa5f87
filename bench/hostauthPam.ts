import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Authenticator, Credentials } from '#hostauth/helper/pam/authenticator.ts';
import { createPamAuthenticator } from '#hostauth/helper/pam/pamAuthenticator.ts';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { createTemporaryAccounts } from '#tests/builders/temporaryAccounts.ts';
import { createTemporaryPamService } from '#tests/builders/temporaryPamService.ts';
import type { Benchmark, BenchmarkResult, Progress } from './benchmark.ts';
import { PAM_CHILD } from './hostauth/pamChild.ts';
import { inTurns, median, timeOf } from './measure.ts';

const ROUNDS = 9;
/** Sign-ins in a round: some seconds of work for two cores. */
const TIMES = 60;
const CONCURRENCY = availableParallelism();

/** Somebody who can sign an account in many times. */
interface Candidate {
  readonly name: string;
  run(account: Credentials): Promise<void>;
  end(): Promise<void>;
}

function ours(service: string): Candidate {
  const pam: Authenticator = createPamAuthenticator({
    service,
    concurrency: CONCURRENCY,
    childPath: PAM_CHILD,
    timeoutMs: 60_000,
  });
  return {
    name: 'hostauth',
    async run(account) {
      const outcomes = await Promise.all(Array.from({ length: TIMES }, () => pam.authenticate(account)));
      const refused = outcomes.find(({ kind }) => kind !== 'accepted');
      if (refused !== undefined) throw new Error(`a sign-in was ${refused.kind}`);
    },
    end: () => pam.close(),
  };
}

async function loop(service: string): Promise<Candidate> {
  const program = await buildProgram('bench/hostauth/pamLoop.ts');
  const child = fork(program.path, [service, String(CONCURRENCY)], {
    env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: String(CONCURRENCY) },
    execArgv: [],
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the loop ended')));
  return {
    name: 'authenticate-pam in a loop',
    async run(account) {
      child.send({ ...account, times: TIMES });
      await Promise.race([once(child, 'message'), gone]);
    },
    async end() {
      gone.catch(() => undefined);
      child.disconnect();
      await program.remove();
    },
  };
}

async function compare(service: string, account: Credentials, progress: Progress): Promise<BenchmarkResult> {
  const candidates = [ours(service), await loop(service)];
  // The first round of each starts its processes, and does not count.
  const runs = candidates.map((candidate) => () => timeOf(() => candidate.run(account)));
  const rounds = await inTurns(runs, { rounds: ROUNDS, progress });
  await Promise.all(candidates.map((candidate) => candidate.end()));
  const perSecond = candidates.map((_, i) =>
    median(rounds.map((times) => (TIMES / (times[i] ?? Number.NaN)) * 1000)),
  );
  return {
    rows: candidates.map(({ name }, i) => ({
      'PAM sign-ins': name,
      'at once': CONCURRENCY,
      'sign-ins/s': perSecond[i] ?? Number.NaN,
    })),
    targets: [
      {
        name: 'sign-ins/s, of authenticate-pam in a loop',
        measured: median(rounds.map(([own = Number.NaN, bare = Number.NaN]) => bare / own)),
        bound: 'at least',
        limit: 0.9,
      },
    ],
  };
}

/**
 * What processes of their own, the bounds and the account phase cost. On an account of this host, made for it and
 * removed again, so only root can measure it.
 */
export const hostauthPamBenchmark: Benchmark = {
  name: 'hostauth-pam',
  title: 'PAM sign-ins: the shipped PAM file, a right password',
  async run(progress) {
    if (process.getuid?.() !== 0) {
      progress('only root can make an account to sign in to: not measured');
      return { rows: [], targets: [] };
    }
    const accounts = createTemporaryAccounts();
    const pam = createTemporaryPamService();
    try {
      return await compare(pam.service, accounts.create(), progress);
    } finally {
      accounts.removeAll();
      pam.remove();
    }
  },
};
