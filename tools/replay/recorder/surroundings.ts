/** What the recorder uses of the browser or of Node, without importing it. */

type Listener = () => void;

/** An event emitter, such as Node's `process`. */
interface Program {
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
}

const isProgram = (value: unknown): value is Program =>
  typeof value === 'object' && value !== null && 'on' in value && 'off' in value;

/** Calls a function at each uncaught error and unhandled rejection, which have their usual effects. Returns a function that ends this. */
export function onUncaught(listener: Listener): () => void {
  if ('addEventListener' in globalThis) {
    const ends = ['error', 'unhandledrejection'].map((event) => onWindow(event, listener));
    return () => ends.forEach((end) => end());
  }
  const program: unknown = Reflect.get(globalThis, 'process');
  if (!isProgram(program)) return () => undefined;
  // An unhandled rejection becomes an uncaught exception.
  program.on('uncaughtExceptionMonitor', listener);
  return () => void program.off('uncaughtExceptionMonitor', listener);
}

/** Calls a function when the page closes. Returns a function that ends this. */
export const onPageHide = (listener: Listener): (() => void) =>
  'addEventListener' in globalThis ? onWindow('pagehide', listener) : () => undefined;

function onWindow(event: string, listener: Listener): () => void {
  globalThis.addEventListener(event, listener);
  return () => globalThis.removeEventListener(event, listener);
}

/** Waits; does not keep a Node program running. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
      timer.unref();
  });

/** Lets a browser save a text as a file. */
export function downloadText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
