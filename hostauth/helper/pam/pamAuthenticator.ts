import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createConcurrencyLimiter } from '../../base/concurrencyLimiter.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { UNIX_CHKPWD } from './accountPhase.ts';
import type { Authenticator, PamOutcome } from './authenticator.ts';
import { mayReachPam } from './mayReachPam.ts';
import { type PamProcess, type Unread, startPamProcess } from './pamProcess.ts';
import { type RefusalDelay, createRefusalDelay } from './refusalDelay.ts';

/** The environment of a PAM process: one PAM call at a time needs one thread, and PAM's messages are in English. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' };

export interface PamAuthenticatorOptions {
  /** The name of a file in `/etc/pam.d`, which `checkPam` has checked. */
  readonly service: string;
  /** The most sign-ins in PAM at once; the number of cores by default. */
  readonly concurrency?: number;
  /** The most sign-ins that wait. */
  readonly waiting?: number;
  /** The longest that a sign-in may wait, and the longest that PAM may then take. Milliseconds. */
  readonly timeoutMs?: number;
  /** The built `child.ts`; beside the built service by default. */
  readonly childPath?: string;
  /** The program of the account phase; `unix_chkpwd` by default. */
  readonly helper?: string;
  /** Further variables of PAM processes, which tests use to replace PAM. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The slot of a refusal becomes free at a multiple of this, in milliseconds; 100 by default. */
  readonly refusalStepMs?: number;
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Creates the authenticator that asks PAM in processes of its own (spec §5.2): one for each sign-in in progress, started when
 * first needed and kept. A crash or hang in PAM costs that one sign-in.
 */
export function createPamAuthenticator(options: PamAuthenticatorOptions): Authenticator {
  const {
    concurrency = availableParallelism(),
    waiting = 64,
    timeoutMs = 10_000,
    clock = systemClock,
  } = options;
  const limiter = createConcurrencyLimiter({ concurrency, waiting, timeoutMs, clock });
  const delay = createRefusalDelay({ clock, stepMs: options.refusalStepMs });
  const start = () => startPamProcess({ ...programOf(options), timeoutMs, clock });
  const pool = createPool({ start, clock, delay });

  /** Refusals, also without PAM, use their slot for the same time. */
  async function useSlot(credentials: Credentials): Promise<PamOutcome> {
    const startedAt = clock.monotonic();
    const outcome: PamOutcome = mayReachPam(credentials)
      ? await pool.ask(credentials)
      : { kind: 'refused', reason: 'input' };
    if (outcome.kind === 'refused') await delay.wait(startedAt);
    return outcome;
  }

  return {
    async authenticate(credentials) {
      const outcome = await limiter.run(() => useSlot(credentials));
      return outcome ?? { kind: 'unavailable', reason: 'busy' };
    },
    async close() {
      await limiter.close();
      await pool.end();
    },
  };
}

interface PoolOptions {
  readonly start: () => PamProcess;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly delay: Pick<RefusalDelay, 'add'>;
}

/** The PAM processes. An idle one is used again; without one, a new one starts. */
function createPool({ start, clock, delay }: PoolOptions) {
  const idle: PamProcess[] = [];

  async function askProcess(process: PamProcess, credentials: Credentials): Promise<PamOutcome | Unread> {
    const outcome = await process.ask(credentials);
    if (!process.hasEnded()) idle.push(process);
    return outcome;
  }

  /** Asks a new process once when the end of the first one was not known yet: PAM has not seen the request. */
  async function askNew(credentials: Credentials): Promise<PamOutcome> {
    const outcome = await askProcess(start(), credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }

  return {
    async ask(credentials: Credentials): Promise<PamOutcome> {
      const running = takeIdle(idle);
      const startedAt = clock.monotonic();
      const outcome = await askProcess(running ?? start(), credentials);
      if (outcome.kind === 'unread') return askNew(credentials);
      // The start of a process is not PAM's time.
      if (running !== undefined && outcome.kind !== 'unavailable') delay.add(clock.monotonic() - startedAt);
      return outcome;
    },
    /** Ends the idle processes. */
    end: () => Promise.all(idle.splice(0).map((process) => process.end())),
  };
}

const programOf = ({ service, childPath, helper, environment }: PamAuthenticatorOptions) => ({
  path: childPath ?? join(import.meta.dirname, 'pamChild.js'),
  args: [service, helper ?? UNIX_CHKPWD],
  environment: { ...ENVIRONMENT, ...environment },
});

/** Takes the process used last, whose memory is warm; skips processes that ended while they were idle. */
function takeIdle(idle: PamProcess[]): PamProcess | undefined {
  for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
    if (!process.hasEnded()) return process;
  }
  return undefined;
}
