import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

const INTERVAL_MS = 5;

/**
 * Stops the timers of limits until the test ends: a tool that starts slowly does not reach its limit. The returned function waits
 * until a condition is true, for example that a tool hangs, and then lets this time pass, in milliseconds.
 */
export function stopLimits(): (isReady: () => boolean, ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return async (isReady, ms) => {
    while (!isReady()) await pause(INTERVAL_MS);
    vi.advanceTimersByTime(ms);
  };
}
