import { SIGNALS } from './interruption.ts';

/** After this time the process ends, whatever is still running (contract §1 allows 2 s). */
const END_MS = 1800;

/**
 * Resolves at the first SIGINT or SIGTERM. Later signals are ignored, because npm repeats the terminal's signal. The
 * process ends at most 1.8 s after the first signal.
 */
export const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const onSignal = () => {
      setTimeout(() => process.exit(), END_MS).unref();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
