import closeWithGrace from 'close-with-grace';

/** The longest that the work in progress may take to end (contract §1). */
const DRAIN_MS = 30_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const ignore = () => undefined;

/**
 * Ends the process with 0 at a signal, when `end` has completed the work in progress. Further signals are ignored:
 * npm repeats those that the terminal has sent already, and the helper those that its process group has got.
 */
export function endWithGrace(logger: closeWithGrace.Logger, end: () => Promise<void>): void {
  // There is always a listener: without one, a signal would end the process at once.
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
