import type { ExitStatus } from './errors.ts';

/** The exit statuses after a signal: 128 and its number. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

type SignalName = keyof typeof STATUS;

/** After this time the process ends, whatever is still running (contract §1 allows 2 s). */
const END_MS = 1800;

/** A signal that ends a command with a verdict: it reports what it has found so far. */
export interface Interruption {
  /** Is aborted at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Returns the signal that has arrived. */
  received(): SignalName | undefined;
  /** Returns the exit status of a command that would otherwise end with `status`. */
  statusOr(status: ExitStatus): ExitStatus;
}

/**
 * Listens for SIGINT and SIGTERM. Later signals are ignored, because npm repeats the terminal's signal. The process ends at most 1.8 s
 * after the first one, never with status 0 (contract §1). The listeners stay: until the process ends, `cli.ts` must know of them.
 */
export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let received: SignalName | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (received !== undefined || !isKnown(name)) return;
    received = name;
    setTimeout(() => process.exit(STATUS[name]), END_MS).unref();
    controller.abort();
  };
  for (const name of Object.keys(STATUS)) process.on(name, onSignal);
  return {
    signal: controller.signal,
    received: () => received,
    statusOr: (status) => (received === undefined ? status : STATUS[received]),
  };
}

const isKnown = (name: string): name is SignalName => name in STATUS;
