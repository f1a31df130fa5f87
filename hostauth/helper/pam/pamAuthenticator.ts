import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { UNIX_CHKPWD } from './accountPhase.ts';
import type { Authenticator, PamOutcome } from './authenticator.ts';
import { PamProcess } from './pamProcess.ts';
import { PamQueue } from './pamQueue.ts';
import { createRefusalDelay } from './refusalDelay.ts';

/** The environment of a PAM process: one PAM call at a time needs one thread, and PAM's messages are in English. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' };

/** The options of `createPamAuthenticator`. */
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
  const queue = new PamQueue({
    concurrency,
    waiting,
    timeoutMs,
    start: () => new PamProcess({ ...programOf(options), timeoutMs, clock }),
    delay: createRefusalDelay({ clock, stepMs: options.refusalStepMs }),
    clock,
  });
  const signIns = new Set<Promise<PamOutcome>>();
  let isClosed = false;

  return {
    async authenticate(credentials) {
      if (isClosed) return { kind: 'unavailable', reason: 'busy' };
      const signIn = queue.add(credentials);
      signIns.add(signIn);
      const outcome = await signIn;
      signIns.delete(signIn);
      return outcome;
    },
    async close() {
      isClosed = true;
      await Promise.all(signIns);
      await queue.end();
    },
  };
}

const programOf = ({ service, childPath, helper, environment }: PamAuthenticatorOptions) => ({
  path: childPath ?? join(import.meta.dirname, 'pamChild.js'),
  args: [service, helper ?? UNIX_CHKPWD],
  environment: { ...ENVIRONMENT, ...environment },
});
