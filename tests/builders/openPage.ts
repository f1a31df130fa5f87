import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createWindowStore } from '#renderer/store/createWindowStore.ts';
import type { Listener, ParleySyncBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { SYNC_ACTION, SYNC_PART, SYNC_STATE } from '#shared/ipc/channels.ts';
import { type Page, ipcMain, pages } from './electron.ts';

interface PageOptions {
  /** The page's address; by default Parley's own. */
  readonly url?: string;
  /** Whether it is in a window of Parley. */
  readonly isOurs?: boolean;
}

/** Opens a page. Nothing arrives on either side before `deliver`, and each side's messages keep their order. */
export function openPage({ url = 'parley://app/index.html', isOurs = true }: PageOptions = {}): Page {
  const listeners = new EventEmitter();
  const toMain: (() => Promise<void>)[] = [];
  const toPage: (() => void)[] = [];
  const sent: [string, ...unknown[]][] = [];
  const frame = { url, origin: /^[^:]+:\/\/[^/]*/.exec(url)?.[0] ?? '' };

  const page: Page = {
    isOurs,
    webContents: {
      getURL: () => url,
      isDestroyed: () => false,
      send(channel, ...args) {
        const message = structuredClone(args);
        sent.push([channel, ...message]);
        toPage.push(
          () => void listeners.emit(channel, { sender: page.ipcRenderer }, ...structuredClone(message)),
        );
      },
    },
    ipcRenderer: {
      send(channel, ...args) {
        const message = structuredClone(args);
        toMain.push(async () => void ipcMain.emit(channel, event, ...message));
      },
      invoke(channel, ...args) {
        const message = structuredClone(args);
        return new Promise((resolve, reject) => {
          toMain.push(async () => {
            const answer = await answered(channel, message);
            toPage.push(() => ('refusal' in answer ? reject(answer.refusal) : resolve(answer.value)));
          });
        });
      },
      on: (channel, listener) => listeners.on(channel, listener),
      removeListener: (channel, listener) => listeners.removeListener(channel, listener),
    },
    sent,
    async deliver() {
      while (toMain.length + toPage.length > 0) {
        await toMain.shift()?.();
        toPage.shift()?.();
        // The receiver of an answer continues in a later iteration of the event loop.
        await setImmediate();
      }
    },
  };
  // Main compares these by identity.
  const sender = Object.assign(page.webContents, { mainFrame: frame });
  const event = { sender, senderFrame: frame };
  const answered = async (channel: string, args: readonly unknown[]) => {
    try {
      return { value: structuredClone(await ipcMain.invoked(channel, event, args)) };
    } catch (error) {
      return { refusal: new Error(`Error invoking remote method '${channel}': ${String(error)}`) };
    }
  };
  pages.add(page);
  return page;
}

/** A window: its page and its real store, which follows main's store. */
export type TestWindow = ReturnType<typeof openTestWindow>;

/** Opens a window whose store is connected to main through the fake `electron`, as in the preload. */
export function openTestWindow(options?: PageOptions) {
  const page = openPage(options);
  const { ipcRenderer } = page;
  const listen = (channel: string, listener: Listener) => {
    const hear = (_: unknown, ...args: unknown[]) => listener(...args);
    ipcRenderer.on(channel, hear);
    return () => void ipcRenderer.removeListener(channel, hear);
  };
  const tools: ParleyToolsBridge = {
    send: (channel, ...args) => ipcRenderer.send(channel, ...args),
    on: (channel, listener) => listen(channel, (...args) => void Reflect.apply(listener, undefined, args)),
  };
  const sync: ParleySyncBridge = {
    fetchState: async () => String(await ipcRenderer.invoke(SYNC_STATE)),
    async fetchPart(start, before) {
      const part = await ipcRenderer.invoke(SYNC_PART, start, before);
      return typeof part === 'string' ? part : null;
    },
    onAction: (listener) => listen(SYNC_ACTION, listener),
  };
  return { page, store: createWindowStore(sync, tools) };
}
