import { BRIDGE_PATH, bridgeProtocols } from '../bridge/bridgeAddress.ts';
import { createPage } from './page.ts';

/** The `electron` module in a page: the part that a preload may use, over the page's bridge. */
const { ipcRenderer, contextBridge } = createPage({
  window,
  connect: (secret) =>
    new WebSocket(
      `ws://${location.host}${BRIDGE_PATH}?page=${encodeURIComponent(location.pathname)}`,
      bridgeProtocols(secret),
    ),
});

export { contextBridge, ipcRenderer };
