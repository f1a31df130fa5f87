import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#hostauth/base/clock.ts';
import type { Credentials } from '#hostauth/link/helperProtocol.ts';
import { createHelperClient } from '#hostauth/link/helperClient.ts';
import { buildProgram } from '#tests/builders/buildProgram.ts';
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
  timeOf,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { startHelper } from './startService.ts';

const ROUNDS = 9;
/** Number of sign-ins in a round: some seconds of work for two cores. */
const TIMES = 60;
const CONCURRENCY = availableParallelism();

/** A program that signs an account in many times. */
interface Candidate {
  readonly name: string;
  run(account: Credentials): Promise<void>;
  end(): Promise<void>;
}

/** Starts the helper and calls it over its socket, as the HTTP process does. */
async function startOurs(service: string, folder: string): Promise<Candidate> {
  const path = join(folder, 'helper.sock');
  const program = await startHelper(service, path, join(folder, 'helper.log'));
  const helper = createHelperClient({
    connect: async () => {
      const socket = connect(path);
      await once(socket, 'connect');
      return socket;
    },
    clock: systemClock,
    onLost: () => undefined,
  });
  return {
    name: 'hostauth',
    async run(account) {
      const outcomes = await Promise.all(Array.from({ length: TIMES }, () => helper.authenticate(account)));
      const refused = outcomes.find(({ kind }) => kind !== 'accepted');
      if (refused !== undefined) throw new Error(`a sign-in was ${JSON.stringify(refused)}`);
    },
    async end() {
      await helper.close();
      await program.close();
    },
  };
}

/** Starts a process that calls authenticate-pam in a loop. */
async function startLoop(service: string): Promise<Candidate> {
  const program = await buildProgram('bench/hostauth/pamLoop.ts');
  const child = fork(program.path, [service, String(CONCURRENCY)], {
    env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: String(CONCURRENCY) },
    execArgv: [],
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the loop ended')));
  return {
    name: 'authenticate-pam in a loop',
    async run(account) {
      child.send({ ...account, times: TIMES });
      await Promise.race([once(child, 'message'), failed]);
    },
    async end() {
      failed.catch(() => undefined);
      child.disconnect();
      await program.remove();
    },
  };
}

interface Comparison {
  readonly service: string;
  readonly account: Credentials;
  /** For the socket and the log. */
  readonly folder: string;
  readonly progress: Progress;
}

async function compare({ service, account, folder, progress }: Comparison): Promise<BenchmarkResult> {
  const candidates = [await startOurs(service, folder), await startLoop(service)];
  // The first round starts the processes and does not count.
  const runs = candidates.map((candidate) => () => timeOf(() => candidate.run(account)));
  const rounds = await runInRounds(runs, { rounds: ROUNDS, progress });
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
 * Measures the cost of separate PAM processes, of the limits and of the account phase. Creates an account on this host and
 * removes it, so it needs root.
 */
export const hostauthPamBenchmark: Benchmark = {
  title: 'PAM sign-ins: the shipped PAM file, a right password',
  async run(progress) {
    if (process.getuid?.() !== 0) {
      progress('not measured: only root can create an account');
      return { rows: [], targets: [] };
    }
    const accounts = createTemporaryAccounts();
    const pam = createTemporaryPamService();
    try {
      return await withTemporaryFolder((folder) =>
        compare({ service: pam.service, account: accounts.create(), folder, progress }),
      );
    } finally {
      accounts.removeAll();
      pam.remove();
    }
  },
};
