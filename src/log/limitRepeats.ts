import type { LogFn, LoggerOptions } from 'pino';
import { formatCount } from '#shared/formatCount.ts';
import { isJsonObject } from '#shared/isJsonObject.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';

/** Maximum number of equal lines per period. */
const MAX_LINES = 20;
const PERIOD_MS = 10_000;

/** Limits repeated lines of a logger and of its children. */
interface RepeatLimit {
  /** The logger's hooks. */
  readonly hooks: NonNullable<LoggerOptions['hooks']>;
  /** Logs the number of omitted lines. Call it before the program ends. */
  flush(): void;
}

interface Omitted {
  count: number;
  /** Logs one line for all omitted ones. */
  summarize(count: number): void;
}

/**
 * Limits lines with the same level, message and reason to 20 in 10 s. Counts further ones, and logs one line with their number
 * at the end of the period: "frame rejected (and 3,120 more)".
 */
export function limitRepeats(clock: Clock): RepeatLimit {
  const written = new Map<string, number>();
  const omitted = new Map<string, Omitted>();
  let startedAt = clock.now();
  let cancel: Cancel | undefined;

  const flush = () => {
    cancel?.();
    cancel = undefined;
    startedAt = clock.now();
    written.clear();
    for (const { count, summarize } of omitted.values()) summarize(count);
    omitted.clear();
  };
  const omit = (key: string, summarize: Omitted['summarize']) => {
    const before = omitted.get(key);
    if (before === undefined) omitted.set(key, { count: 1, summarize });
    else before.count++;
    // Only a period with an omitted line needs a timer.
    cancel ??= clock.after(startedAt + PERIOD_MS - clock.now(), flush);
  };

  return {
    flush,
    hooks: {
      logMethod(args, method, level) {
        if (clock.now() - startedAt >= PERIOD_MS) flush();
        const { message, reason } = describe(args);
        const key = `${level} ${reason ?? ''} ${message}`;
        const count = (written.get(key) ?? 0) + 1;
        if (count <= MAX_LINES) {
          written.set(key, count);
          method.apply(this, args);
          return;
        }
        omit(key, (more) =>
          method.call(
            this,
            { ...(reason !== undefined && { reason }), more },
            `${message} (and ${formatCount(more)} more)`,
          ),
        );
      },
    },
  };
}

/** Returns the parts of a log call that make lines equal. */
function describe([first, second]: Parameters<LogFn> | readonly unknown[]): {
  readonly message: string;
  readonly reason: string | undefined;
} {
  if (typeof first === 'string') return { message: first, reason: undefined };
  const reason = isJsonObject(first) && typeof first.reason === 'string' ? first.reason : undefined;
  if (typeof second === 'string') return { message: second, reason };
  return { message: first instanceof Error ? first.message : '', reason };
}
