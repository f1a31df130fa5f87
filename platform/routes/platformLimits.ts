import { SettingsError } from '#shared/settings.ts';
import type { Clock } from '#shared/clock.ts';

/** The limits that an administrator can change. */
export interface PlatformLimits {
  /** Messages that one account may send in a minute. */
  readonly messagesPerMinute: number;
  /** Size of one message as it is sent (its text and its file in base64), in bytes. */
  readonly messageBytes: number;
  /** Wrong passwords for one email before the first wait; six times as many for all emails together. */
  readonly wrongPasswords: number;
  /** Registrations in an hour, of all callers together: each one computes a password hash and creates an account. */
  readonly registrationsPerHour: number;
}

interface Setting {
  readonly variable: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
}

/** The settings of the limits: their variables, ranges and defaults. The largest message of the specification is below the default. */
export const LIMIT_SETTINGS: Readonly<Record<keyof PlatformLimits, Setting>> = {
  messagesPerMinute: {
    variable: 'PARLEY_PLATFORM_MESSAGES_PER_MINUTE',
    min: 1,
    max: 1_000_000,
    value: 120,
  },
  messageBytes: { variable: 'PARLEY_PLATFORM_MESSAGE_BYTES', min: 1000, max: 2_000_000, value: 2_000_000 },
  wrongPasswords: { variable: 'PARLEY_PLATFORM_WRONG_PASSWORDS', min: 1, max: 1000, value: 5 },
  registrationsPerHour: {
    variable: 'PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR',
    min: 1,
    max: 1_000_000,
    value: 200,
  },
};

/** Parses a limit; returns `null` when it is not a whole number in its range. */
export function parseLimit(name: keyof PlatformLimits, text: string): number | null {
  const { min, max } = LIMIT_SETTINGS[name];
  const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

/** Returns what a limit takes: `a whole number, 1 to 1000`. */
export const limitRange = (name: keyof PlatformLimits): string =>
  `a whole number, ${LIMIT_SETTINGS[name].min} to ${LIMIT_SETTINGS[name].max}`;

/**
 * Reads the limits of the environment; a variable that is missing or empty has its default.
 * @throws {SettingsError} with one line that names the variable.
 */
export function readPlatformLimits(
  environment: Readonly<Record<string, string | undefined>>,
): PlatformLimits {
  const read = (name: keyof PlatformLimits): number => {
    const { variable, value } = LIMIT_SETTINGS[name];
    const text = environment[variable] ?? '';
    const limit = text === '' ? value : parseLimit(name, text);
    if (limit === null) throw new SettingsError(`${variable} takes ${limitRange(name)}`);
    return limit;
  };
  return {
    messagesPerMinute: read('messagesPerMinute'),
    messageBytes: read('messageBytes'),
    wrongPasswords: read('wrongPasswords'),
    registrationsPerHour: read('registrationsPerHour'),
  };
}

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

/** Number of keys after which those that were not used for a whole window are forgotten. */
const REMEMBERED = 1000;

/** Limits how often each key may do something. */
interface RateLimit {
  /** Counts one time; returns 0, or how long the key must wait when it may not do it, in milliseconds. */
  take(key: string): number;
}

/** Creates the limit, in memory: any time of `windowMs` contains at most `max` times of a key. */
export function createRateLimit(
  clock: Clock,
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
): RateLimit {
  /** The last times of each key, oldest first. */
  const sent = new Map<string, number[]>();

  const forgetOld = (since: number) => {
    if (sent.size < REMEMBERED) return;
    for (const [key, times] of sent) if ((times.at(-1) ?? 0) <= since) sent.delete(key);
  };

  return {
    take(key) {
      const now = clock.now();
      forgetOld(now - windowMs);
      const times = (sent.get(key) ?? []).filter((time) => time > now - windowMs);
      sent.set(key, times);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= max) return oldest + windowMs - now;
      times.push(now);
      return 0;
    },
  };
}
