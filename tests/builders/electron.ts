import { EventEmitter } from 'node:events';
import type { Page } from './electronPage.ts';

/**
 * The part of `electron` that main's store, its synchronisation and the preload use, in memory. What goes from one
 * side to the other is a structured clone, and arrives when the test delivers it (`openPage` in electronPage.ts).
 */

type Handler = (event: object, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();

  /** @throws {Error} for a channel that has a handler, as Electron does. */
  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  removeHandlers(): void {
    this.#handlers.clear();
  }

  /** What a page's `invoke` comes to. */
  async invoked(channel: string, event: object, args: readonly unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }
}

export const ipcMain = new IpcMain();

/** The pages that are open. */
export const pages = new Set<Page>();

export const webContents = { getAllWebContents: () => [...pages].map((page) => page.webContents) };

export const BrowserWindow = {
  /** A page that a window shows has one; a foreign page has none. */
  fromWebContents: (contents: unknown) =>
    [...pages].find((page) => page.webContents === contents && page.isOurs) ?? null,
};

/** What the preload has exposed to the page, by name. */
export const exposed = new Map<string, unknown>();

export const contextBridge = {
  exposeInMainWorld(name: string, api: unknown): void {
    if (exposed.has(name)) throw new Error(`Cannot bind an API on top of an existing property: ${name}`);
    exposed.set(name, api);
  },
};

/** The preload's end of the line to main: that of the newest page. */
export const ipcRenderer = {
  send: (channel: string, ...args: unknown[]) => newest().ipcRenderer.send(channel, ...args),
  invoke: (channel: string, ...args: unknown[]) => newest().ipcRenderer.invoke(channel, ...args),
  on: (channel: string, listener: (...args: unknown[]) => void) => newest().ipcRenderer.on(channel, listener),
  removeListener: (channel: string, listener: (...args: unknown[]) => void) =>
    newest().ipcRenderer.removeListener(channel, listener),
};

function newest(): Page {
  const page = [...pages].at(-1);
  if (page === undefined) throw new Error('no page is open');
  return page;
}

/** As if the program had just been started. */
export function forgetAll(): void {
  ipcMain.removeAllListeners();
  ipcMain.removeHandlers();
  pages.clear();
  exposed.clear();
}
