import { EventEmitter } from 'node:events';

/** A fake of what main's store, its synchronization and the preload use of `electron`. `deliver` lets structured clones arrive. */

type Handler = (event: object, ...args: unknown[]) => unknown;
type Send = (channel: string, ...args: unknown[]) => void;
type Listen = (channel: string, listener: (...args: unknown[]) => void) => object;

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

  /** Calls the handler of a page's `invoke`. */
  async invoked(channel: string, event: object, args: readonly unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }
}

export const ipcMain = new IpcMain();

/** A page, as main and the page itself see it. */
export interface Page {
  readonly isOurs: boolean;
  /** Main's side. */
  readonly webContents: { send: Send; getURL(): string; isDestroyed(): boolean };
  /** The page's side. */
  readonly ipcRenderer: {
    send: Send;
    invoke(channel: string, ...args: unknown[]): Promise<unknown>;
    on: Listen;
    removeListener: Listen;
  };
  /** Everything that main sent, delivered or not. */
  readonly sent: readonly (readonly [channel: string, ...args: unknown[]])[];
  /** Delivers the messages in transit, in order, and the messages that these cause. */
  deliver(): Promise<void>;
}

export const pages = new Set<Page>();

export const webContents = { getAllWebContents: () => [...pages].map((page) => page.webContents) };

export const BrowserWindow = {
  /** Returns the window of a page of Parley, and null for a foreign page. */
  fromWebContents: (contents: unknown) =>
    [...pages].find((page) => page.webContents === contents && page.isOurs) ?? null,
};

/** The APIs that the preload exposed to the page, by name. */
export const exposed = new Map<string, unknown>();

export const contextBridge = {
  exposeInMainWorld(name: string, api: unknown): void {
    if (exposed.has(name)) throw new Error(`Cannot bind an API on top of an existing property: ${name}`);
    exposed.set(name, api);
  },
};

/** The preload's connection to main: that of the newest page. */
export const ipcRenderer: Page['ipcRenderer'] = {
  send: (...args) => newest().ipcRenderer.send(...args),
  invoke: (...args) => newest().ipcRenderer.invoke(...args),
  on: (...args) => newest().ipcRenderer.on(...args),
  removeListener: (...args) => newest().ipcRenderer.removeListener(...args),
};

function newest(): Page {
  const page = [...pages].at(-1);
  if (page === undefined) throw new Error('no page is open');
  return page;
}

/** Resets the fake to the state of a program that has just started. */
export function resetElectron(): void {
  ipcMain.removeAllListeners();
  ipcMain.removeHandlers();
  pages.clear();
  exposed.clear();
}
