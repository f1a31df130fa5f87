import type { Clock } from '#shared/time/clock.ts';

/**
 * The number of wrong passwords that causes the first wait, the time after which one is forgotten, and the longest wait. Times
 * are in milliseconds.
 */
interface Limit {
  readonly free: number;
  readonly forgetOneMs: number;
  readonly longestMs: number;
}

const PER_EMAIL: Omit<Limit, 'free'> = { forgetOneMs: 60_000, longestMs: 16_000 };
const IN_TOTAL: Omit<Limit, 'free'> = { forgetOneMs: 2000, longestMs: 4000 };
/** All emails together have this many times the limit of one. */
const TOTAL_FACTOR = 6;
const FIRST_WAIT_MS = 1000;
/** Maximum number of tracked emails; the oldest is dropped first. */
const EMAILS = 1000;

/** Limits wrong passwords, for each email and in total. */
export interface PasswordLimit {
  /** Returns how long attempts for this email are refused, in milliseconds; 0 when they are allowed. */
  waitFor(email: string): number;
  /** Records a wrong password or an unknown email. */
  failed(email: string): void;
  /** Records a right password: resets the email's count. The total stays, because an attacker may also have an account. */
  succeeded(email: string): void;
}

/**
 * Creates the limit, in memory. The waits are short, so that an attacker who guesses can delay the owner only briefly.
 *
 * @param free the number of wrong passwords for one email that causes the first wait.
 *
 *   open ── wrong, `free` times or more ─▶ closed for 1 s, 2 s, 4 s … the longest ─▶ open
 */
export function createPasswordLimit(clock: Clock, free: number): PasswordLimit {
  const total = createTally(clock, { ...IN_TOTAL, free: TOTAL_FACTOR * free });
  const tallies = new Map<string, Tally>();
  return {
    waitFor: (email) => Math.max(total.waitFor(), tallies.get(email)?.waitFor() ?? 0),
    failed(email) {
      const tally = tallies.get(email) ?? createTally(clock, { ...PER_EMAIL, free });
      tallies.set(email, tally);
      const [oldest] = tallies.keys();
      if (tallies.size > EMAILS && oldest !== undefined) tallies.delete(oldest);
      tally.failed();
      total.failed();
    },
    succeeded: (email) => void tallies.delete(email),
  };
}

interface Tally {
  waitFor(): number;
  failed(): void;
}

function createTally(clock: Clock, { free, forgetOneMs, longestMs }: Limit): Tally {
  /** A higher count does not change the wait. */
  const most = free + Math.ceil(Math.log2(longestMs / FIRST_WAIT_MS));
  let wrong = 0;
  let failedAt = clock.now();
  let opensAt = clock.now();
  return {
    waitFor: () => Math.max(0, opensAt - clock.now()),
    failed() {
      const now = clock.now();
      const forgotten = Math.floor((now - failedAt) / forgetOneMs);
      wrong = Math.min(Math.max(0, wrong - forgotten) + 1, most);
      failedAt = now;
      if (wrong >= free) opensAt = now + Math.min(FIRST_WAIT_MS * 2 ** (wrong - free), longestMs);
    },
  };
}
