/*
 * Sign-ins at PAM. Each slot has one process, which does one sign-in at a time:
 *
 *                   slot free                     PAM accepts, or a refusal has been delayed
 *   authenticate() ───────────▶ in PAM ────────────────────────────▶ ended
 *     │                           ▲
 *     │ no slot free              │ a slot becomes free
 *     ├────────────────────▶ waiting ─────── timeout ──────────────▶ busy
 *     └──── too many wait, or closed ──────────────────────────────▶ busy
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Clock, pause, systemClock } from '../../base/clock.ts';
import { createConcurrencyLimiter } from '../../base/concurrencyLimiter.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { type PamOutcome, mayReachPam } from './pamMessages.ts';
import { PamProcess, type Unread } from './pamProcess.ts';

/** The environment of a PAM process: one PAM call at a time needs one thread, and PAM's messages are in English. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' };

/** An older process is replaced before its next sign-in: it keeps PAM's modules loaded, which may have been updated. */
const MAX_AGE_MS = 600_000;

const BUSY: PamOutcome = { kind: 'unavailable', reason: 'busy' };

/** Checks whether a password is that of a host account (spec §5.2). */
export interface Authenticator {
  /** Never rejects. */
  authenticate(credentials: Credentials): Promise<PamOutcome>;
  /** Ends it: the sign-ins that have begun are completed, later ones are `busy`. */
  close(): Promise<void>;
}

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
  return createSlotAuthenticator({
    concurrency,
    waiting,
    timeoutMs,
    start: () => new PamProcess({ ...programOf(options), timeoutMs, clock }),
    delay: createRefusalDelay({ clock, stepMs: options.refusalStepMs }),
    clock,
  });
}

const programOf = ({ service, childPath, environment }: PamAuthenticatorOptions) => ({
  path: childPath ?? join(import.meta.dirname, 'pamChild.js'),
  args: [service],
  environment: { ...ENVIRONMENT, ...environment },
});

/** What a slot uses of its process. */
export type SlotProcess = Pick<PamProcess, 'ask' | 'hasEnded' | 'end'>;

/** The options of `createSlotAuthenticator`. */
interface SlotAuthenticatorOptions extends Required<
  Pick<PamAuthenticatorOptions, 'concurrency' | 'waiting' | 'timeoutMs' | 'clock'>
> {
  /** Starts a process. @throws when the machine has no memory, process or file descriptor left. */
  readonly start: () => SlotProcess;
  readonly delay: RefusalDelay;
}

/** Creates the authenticator that asks the processes that `start` returns. */
export function createSlotAuthenticator(options: SlotAuthenticatorOptions): Authenticator {
  const { clock, delay } = options;
  const limiter = createConcurrencyLimiter(options);
  const slots = Array.from({ length: options.concurrency }, () => new Slot(options));
  /** The slot used last is used first: the memory of its process is warm. */
  const idle = [...slots];

  /** Refusals, also without PAM, use their slot for the same time. */
  async function check(credentials: Credentials): Promise<PamOutcome> {
    const slot = idle.pop();
    if (slot === undefined) throw new Error('more sign-ins than slots');
    const startedAt = clock.monotonic();
    const outcome = await slot.check(credentials);
    if (outcome.kind === 'refused') await delay.wait(startedAt);
    idle.push(slot);
    return outcome;
  }

  return {
    authenticate: async (credentials) => (await limiter.run(() => check(credentials))) ?? BUSY,
    async close() {
      await limiter.close();
      await Promise.all(slots.map((slot) => slot.end()));
    },
  };
}

/** A place for one sign-in at a time. */
class Slot {
  #process: SlotProcess | undefined;
  /** When its process was started, on the monotonic clock. */
  #startedAt = 0;

  constructor(private readonly options: SlotAuthenticatorOptions) {}

  /** Asks the process, if PAM may see the credentials. Never rejects. */
  async check(credentials: Credentials): Promise<PamOutcome> {
    const { clock, delay } = this.options;
    if (!mayReachPam(credentials)) return { kind: 'refused', reason: 'input' };
    const startedAt = clock.monotonic();
    const before = this.#process;
    const outcome = await this.#ask(credentials);
    if (outcome.kind === 'unread') return this.#askNew(credentials);
    // The start of a process is not PAM's time.
    if (this.#process === before && outcome.kind !== 'unavailable') delay.add(clock.monotonic() - startedAt);
    return outcome;
  }

  async end(): Promise<void> {
    await this.#process?.end();
  }

  /** Asks the process, a new one if needed. Never rejects: a process that cannot be started costs this sign-in. */
  async #ask(credentials: Credentials): Promise<PamOutcome | Unread> {
    const { clock, start } = this.options;
    const age = clock.monotonic() - this.#startedAt;
    if (this.#process === undefined || this.#process.hasEnded || age > MAX_AGE_MS) {
      void this.#process?.end();
      try {
        this.#process = start();
      } catch (error) {
        return { kind: 'unavailable', reason: 'died', detail: errorMessage(error) };
      }
      this.#startedAt = clock.monotonic();
    }
    return this.#process.ask(credentials);
  }

  /** Asks a new process once when the end of the first one was not known yet: PAM has not seen the sign-in. */
  async #askNew(credentials: Credentials): Promise<PamOutcome> {
    const outcome = await this.#ask(credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }
}

/** The slot of a refusal becomes free at a multiple of this. PAM takes about 35 ms for an account, and 3 ms for none. */
const STEP_MS = 100;
/** The most that one slow sign-in delays others. */
const MAX_MS = 500;
/** The slowest sign-in counts for one to two of these. */
const PERIOD_MS = 60_000;

/** The options of `createRefusalDelay`. */
interface RefusalDelayOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** In milliseconds; 100 by default. */
  readonly stepMs?: number | undefined;
}

/** Makes all refused sign-ins use their slot for the same time, however long PAM took for each. */
interface RefusalDelay {
  /** Notes how long PAM took for a sign-in, in milliseconds. */
  add(took: number): void;
  /** Waits until the slot of a refusal may become free. @param startedAt when it took the slot, on the monotonic clock. */
  wait(startedAt: number): Promise<void>;
}

/**
 * Creates the delay of refusals. Many sign-ins at once wait for each other: if a slot became free sooner for a name that does
 * not exist, the times of all later answers would show it. So the slot of a refusal is kept as long as the slowest recent
 * sign-in took, which follows the load of the machine, and up to the next multiple of `stepMs`, so that small differences do
 * not add up.
 */
export function createRefusalDelay({ clock, stepMs = STEP_MS }: RefusalDelayOptions): RefusalDelay {
  let [longest, longestBefore] = [0, 0];
  let startOfPeriod = clock.monotonic();

  function renew(): void {
    const age = clock.monotonic() - startOfPeriod;
    if (age < PERIOD_MS) return;
    longestBefore = age < 2 * PERIOD_MS ? longest : 0;
    longest = 0;
    startOfPeriod = clock.monotonic();
  }

  return {
    add(took) {
      renew();
      longest = Math.max(longest, Math.min(took, MAX_MS));
    },
    wait(startedAt) {
      renew();
      const earliest = Math.max(clock.monotonic(), startedAt + Math.max(longest, longestBefore));
      const end = (Math.floor(earliest / stepMs) + 1) * stepMs;
      // Timers drop fractions.
      return pause(clock, Math.ceil(end - clock.monotonic()));
    },
  };
}
