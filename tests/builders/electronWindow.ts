import { type ParleySyncBridge, SYNC_ACTION, SYNC_PART, SYNC_STATE } from '#shared/ipc/sync.ts';
import type { Listener } from '#shared/ipc/channels.ts';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { type WindowStore, createWindowStore } from '#renderer/store/createWindowStore.ts';
import type { Page } from './electron.ts';
import { type PageOptions, openPage } from './electronPage.ts';

/** A window: its page and its real store, which follows main's store. */
export interface TestWindow {
  readonly page: Page;
  readonly store: WindowStore;
  /** Returns the number of parts of conversations that it has fetched. */
  parts(): number;
}

/** Opens a window whose store is connected to main through the fake `electron`, as in the preload. */
export function openTestWindow(options?: PageOptions): TestWindow {
  const page = openPage(options);
  const { ipcRenderer } = page;
  let parts = 0;
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
      parts += 1;
      return typeof part === 'string' ? part : null;
    },
    onAction: (listener) => listen(SYNC_ACTION, listener),
  };
  const store = createWindowStore(sync, tools);
  return { page, store, parts: () => parts };
}
