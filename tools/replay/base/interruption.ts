import { setImmediate } from 'node:timers/promises';
import type { ExitStatus } from './errors.ts';

/** The exit statuses after a signal: 128 and its number. */
export const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

type SignalName = keyof typeof SIGNAL_STATUS;

/** The signals that end a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const satisfies readonly SignalName[];

/** After this time the process ends, whatever is still running (contract §1 allows 2 s). */
const END_MS = 1800;

/**
 * Listens for SIGINT and SIGTERM. Later signals are ignored, because npm repeats the terminal's signal. The process ends at most 1.8 s
 * after the first one, never with status 0 (contract §1). The listeners stay: until the process ends, `cli.ts` must know of them.
 */
export function listenForInterruption() {
  const controller = new AbortController();
  let received: SignalName | undefined;
  for (const name of SIGNALS)
    process.on(name, () => {
      if (received !== undefined) return;
      received = name;
      setTimeout(() => process.exit(SIGNAL_STATUS[name]), END_MS).unref();
      controller.abort();
    });
  return {
    /** Is aborted at the first SIGINT or SIGTERM: a command with a verdict then reports what it has found so far. */
    signal: controller.signal,
    /** Returns the signal that has arrived. */
    received: () => received,
    /** Returns the exit status of a command that would otherwise end with `status`. */
    statusOr: (status: ExitStatus): ExitStatus => (received === undefined ? status : SIGNAL_STATUS[received]),
  };
}

/**
 * Runs code of an app, which may never return, without listeners for SIGINT and SIGTERM: the system then ends the process at once, and a shell
 * shows 130 or 143. A listener would wait until that code returns. Nothing may need to be removed at the end of the process meanwhile.
 */
export async function leaveSignalsToSystem<T>(work: () => T | Promise<T>): Promise<T> {
  // A signal that has already arrived still reaches its listeners.
  await setImmediate();
  const removed = SIGNALS.map((name) => ({ name, listeners: process.listeners(name) }));
  for (const { name } of removed) process.removeAllListeners(name);
  try {
    return await work();
  } finally {
    for (const { name, listeners } of removed) for (const listener of listeners) process.on(name, listener);
  }
}

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

/** Yields items; ends at an abort also while the first item is prepared. Later the items end by themselves. */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal) {
  const iterator = items[Symbol.asyncIterator]();
  const listening = new AbortController();
  const aborted = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: listening.signal }),
  );
  try {
    const first = await Promise.race([iterator.next(), aborted]);
    for (let next = first; next?.done === false; next = await iterator.next()) yield next.value;
  } finally {
    // One signal may end many lists, one after the other.
    listening.abort();
    const ended = iterator.return?.();
    if (!signal.aborted) await ended;
  }
}
