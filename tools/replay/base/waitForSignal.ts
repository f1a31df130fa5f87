const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Past this the process ends whatever still goes on (contract §1 has 2 s). */
const END_MS = 1800;

/**
 * Resolves at the first SIGINT or SIGTERM; more of them change nothing (npm passes on what the terminal sent already).
 * From then on the process ends in time.
 */
export const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const told = () => {
      setTimeout(() => process.exit(), END_MS).unref();
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, told);
  });
