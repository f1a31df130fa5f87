import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { UNIX_CHKPWD } from './accountPhase.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { Authenticator, PamOutcome } from './authenticator.ts';
import { mayReachPam } from './pamInput.ts';
import { type PamProcess, type Unread, startPamProcess } from './pamProcess.ts';
import { createRefusalHold } from './refusalHold.ts';
import { createConcurrencyLimiter } from '../../base/concurrencyLimiter.ts';

/** All that a PAM process gets to see: its one PAM call at a time needs one thread, and PAM's texts are in English. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' };

export interface PamAuthenticatorOptions {
  /** The name of a file in `/etc/pam.d`; `checkPam` has looked at it. */
  readonly service: string;
  /** How many sign-ins PAM works on at once; as many as cores unless given. */
  readonly concurrency?: number;
  /** How many more may wait for their turn. */
  readonly waiting?: number;
  /** The longest that a sign-in may wait for its turn, and the longest that PAM may then take. Milliseconds. */
  readonly timeoutMs?: number;
  /** The built `child.ts`; beside the built service unless given. */
  readonly childPath?: string;
  /** Tells PAM's account phase; PAM's own `unix_chkpwd` unless given. */
  readonly helper?: string;
  /** Further variables for PAM processes: what puts PAM's stand-in before PAM, for those who are not root. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A slot that refused comes free at a multiple of this, in milliseconds; 100 unless given. */
  readonly refusalStepMs?: number;
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Asks PAM, in processes of its own (spec §5.2): one for each sign-in that is under way, started when first needed and
 * kept. What crashes or hangs within PAM takes that one sign-in along and nothing else.
 */
export function createPamAuthenticator(options: PamAuthenticatorOptions): Authenticator {
  const {
    concurrency = availableParallelism(),
    waiting = 64,
    timeoutMs = 10_000,
    clock = systemClock,
  } = options;
  const limiter = createConcurrencyLimiter({ concurrency, waiting, timeoutMs, clock });
  const idle: PamProcess[] = [];
  const hold = createRefusalHold({ clock, stepMs: options.refusalStepMs });
  const start = () => startPamProcess({ ...programOf(options), timeoutMs, clock });

  async function ask(credentials: Credentials): Promise<PamOutcome> {
    const running = nextIdle(idle);
    const startedAt = clock.monotonic();
    const outcome = await askProcess(running ?? start(), credentials);
    if (outcome.kind === 'unread') return askNew(credentials);
    // The start of a process is not PAM's time.
    if (running !== undefined && outcome.kind !== 'unavailable') hold.add(clock.monotonic() - startedAt);
    return outcome;
  }

  /** The end of a process was not known yet when it was asked. A new one is asked, once: PAM has not seen the question. */
  async function askNew(credentials: Credentials): Promise<PamOutcome> {
    const outcome = await askProcess(start(), credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }

  async function askProcess(process: PamProcess, credentials: Credentials): Promise<PamOutcome | Unread> {
    const outcome = await process.ask(credentials);
    if (!process.isGone()) idle.push(process);
    return outcome;
  }

  /** Refusals, also without PAM, use their slot for the same time. */
  async function useSlot(credentials: Credentials): Promise<PamOutcome> {
    const startedAt = clock.monotonic();
    const outcome: PamOutcome = mayReachPam(credentials)
      ? await ask(credentials)
      : { kind: 'refused', reason: 'input' };
    if (outcome.kind === 'refused') await hold.until(startedAt);
    return outcome;
  }

  return {
    async authenticate(credentials) {
      const turn = await limiter.run(() => useSlot(credentials));
      return turn ?? { kind: 'unavailable', reason: 'busy' };
    },
    async close() {
      await limiter.close();
      await Promise.all(idle.splice(0).map((process) => process.end()));
    },
  };
}

const programOf = ({ service, childPath, helper, environment }: PamAuthenticatorOptions) => ({
  path: childPath ?? join(import.meta.dirname, 'pamChild.js'),
  args: [service, helper ?? UNIX_CHKPWD],
  environment: { ...ENVIRONMENT, ...environment },
});

/** The one used last, for its memory is warm; those that died while nobody asked them are passed over. */
function nextIdle(idle: PamProcess[]): PamProcess | undefined {
  for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
    if (!process.isGone()) return process;
  }
  return undefined;
}
