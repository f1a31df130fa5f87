import type { TestContext } from 'vitest';
import { type RunningParley, startParley } from './startParley.ts';

/** Starts the messenger for one test and stops it after the test, also when the test times out before it is ready. */
export async function startParleyFor(
  { onTestFinished, signal }: TestContext,
  options: Parameters<typeof startParley>[0],
): Promise<RunningParley> {
  signal.throwIfAborted();
  const starting = startParley(options);
  onTestFinished(async () => {
    const parley = await starting.catch(() => undefined);
    await parley?.stop();
  });
  return starting;
}
