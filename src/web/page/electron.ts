import { BRIDGE_PATH, bridgeProtocols } from '../bridge/bridgeAddress.ts';
import { keepPageSecret } from '#loopback/pageSecret.ts';
import { reachHost } from './hostConnection.ts';
import { createPage } from './page.ts';

/** The `electron` module in a page: the part that a preload may use, over the page's bridge. */
const { ipcRenderer, contextBridge } = createPage({
  window,
  connect: (secret) =>
    new WebSocket(
      `ws://${location.host}${BRIDGE_PATH}?page=${encodeURIComponent(location.pathname)}`,
      bridgeProtocols(secret),
    ),
  reach: (key) =>
    reachHost(key, {
      port: Number(location.port),
      post: (path, body) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      keepPageSecret: (secret) => keepPageSecret(window, secret),
    }),
});

export { contextBridge, ipcRenderer };
