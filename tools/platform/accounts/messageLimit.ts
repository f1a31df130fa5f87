import type { Clock } from '#shared/time/clock.ts';

const MINUTE_MS = 60_000;
/** Number of accounts after which those that have sent nothing for a minute are forgotten. */
const REMEMBERED = 1000;

/** Limits the messages of each account in a minute. */
interface MessageLimit {
  /** Counts a message; returns 0, or how long the account must wait when it may not send it, in milliseconds. */
  take(account: string): number;
}

/** Creates the limit, in memory: any minute contains at most `perMinute` messages of an account. */
export function createMessageLimit(clock: Clock, perMinute: number): MessageLimit {
  /** When each account sent its last messages, oldest first. */
  const sent = new Map<string, number[]>();

  const forgetOld = (since: number) => {
    if (sent.size < REMEMBERED) return;
    for (const [account, times] of sent) if ((times.at(-1) ?? 0) <= since) sent.delete(account);
  };

  return {
    take(account) {
      const now = clock.now();
      forgetOld(now - MINUTE_MS);
      const times = (sent.get(account) ?? []).filter((time) => time > now - MINUTE_MS);
      sent.set(account, times);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= perMinute) return oldest + MINUTE_MS - now;
      times.push(now);
      return 0;
    },
  };
}
