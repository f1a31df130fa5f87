/** Work is interrupted after this time, in milliseconds. */
const STEP_MS = 20;

/** Long work awaits it after each of its parts. */
export type Step = (done: number, of: number) => Promise<void> | undefined;

interface Options {
  /** Called when work is interrupted, with its progress. */
  readonly onProgress: (done: number, of: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns a function that interrupts long work: once it has lasted for 20 ms, the window handles its events first.
 * @throws the signal's reason when it is aborted.
 */
export function createSteps({ onProgress, signal }: Options): Step {
  let end = performance.now() + STEP_MS;
  const continueLater = async () => {
    await nextTask();
    signal.throwIfAborted();
    end = performance.now() + STEP_MS;
  };
  return (done, of) => {
    if (performance.now() < end) return undefined;
    onProgress(done, of);
    return continueLater();
  };
}

/** Resolves in a later task. A timer of a hidden window would wait for a second. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
