import { SettingsError } from '#shared/settings.ts';

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
