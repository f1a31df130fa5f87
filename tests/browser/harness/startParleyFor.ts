import type { TestContext } from 'vitest';
import { type RunningParley, startParley } from './parley.ts';

/** Starts the messenger for one test, and ends it after the test whatever came of it. */
export async function startParleyFor(
  { onTestFinished }: TestContext,
  options: Parameters<typeof startParley>[0],
): Promise<RunningParley> {
  const parley = await startParley(options);
  onTestFinished(async () => void (await parley.stop()));
  return parley;
}
