import type * as Electron from 'electron';
import { createPage } from './page.ts';

/** The `electron` module in a page: what a preload may use of it, over the page's bridge. */
const { ipcRenderer, contextBridge } = createPage({
  window,
  connect: () =>
    new WebSocket(`ws://${location.host}/-/bridge?page=${encodeURIComponent(location.pathname)}`),
});

export { contextBridge, ipcRenderer };

/** The parts of Electron's own that stand here. */
export type PagePart = keyof Pick<typeof Electron, 'ipcRenderer' | 'contextBridge'>;
