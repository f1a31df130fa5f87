import type * as Electron from 'electron';

/** Creates Electron's `contextBridge`, which adds an object of the preload to the page's window permanently. */
export function createContextBridge(window: object) {
  return {
    /** @throws {Error} when the window already has the name. */
    exposeInMainWorld(apiKey: string, api: object): void {
      if (apiKey in window) {
        throw new Error(`Cannot bind an API on top of an existing property on the window object: ${apiKey}`);
      }
      Object.defineProperty(window, apiKey, { value: Object.freeze(api), enumerable: true });
    },
  } satisfies Partial<Electron.ContextBridge>;
}
