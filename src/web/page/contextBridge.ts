import type * as Electron from 'electron';

/** Electron's `contextBridge`: puts an object of the preload's on the page's window, for good. */
export function createContextBridge(window: object) {
  return {
    /** @throws {Error} for a name that the window has already. */
    exposeInMainWorld(apiKey: string, api: object): void {
      if (apiKey in window) {
        throw new Error(`Cannot bind an API on top of an existing property on the window object: ${apiKey}`);
      }
      Object.defineProperty(window, apiKey, { value: Object.freeze(api), enumerable: true });
    },
  } satisfies Partial<Electron.ContextBridge>;
}
