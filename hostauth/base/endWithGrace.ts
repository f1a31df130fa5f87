import closeWithGrace from 'close-with-grace';

/** The longest that the work in progress may take to end (contract §1). */
const DRAIN_MS = 30_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const ignore = () => undefined;

/**
 * Ends the process with 0 at a signal, when `end` has completed the work in progress. Further signals change nothing:
 * npm passes on what the terminal has sent already, and the helper passes on what its group has got.
 */
export function endWithGrace(logger: closeWithGrace.Logger, end: () => Promise<void>): void {
  // Never without a listener: for that moment a signal would end the process at once.
  for (const signal of SIGNALS) process.on(signal, ignore);
  closeWithGrace({ delay: DRAIN_MS, logger }, async ({ err }) => {
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (listener !== ignore) process.removeListener(signal, listener);
      }
    }
    if (err !== undefined) logger.error(err);
    await end();
  });
}
