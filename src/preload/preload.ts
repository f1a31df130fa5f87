import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import {
  RECEIVED,
  INVOKED,
  LISTENED,
  type Listener,
  SENT,
  INSPECT_ENDED,
  INSPECT_FOLLOW,
  INSPECT_LINES,
  INSPECT_SOURCE,
  INSPECTOR_PATH,
  MESSENGER_PATH,
  SYNC_ACTION,
  SYNC_PART,
  SYNC_STATE,
  TOOLS_RECEIVED,
  TOOLS_SENT,
} from '#shared/ipc/channels.ts';

/** What the messenger's page gets. */
function exposeMessenger(): void {
  contextBridge.exposeInMainWorld('parley', {
    send: (channel: string, ...args: unknown[]) => ipcRenderer.send(allow(SENT, channel), ...args),
    invoke: (channel: string, ...args: unknown[]) => ipcRenderer.invoke(allow(INVOKED, channel), ...args),
    on: (channel: string, listener: Listener) =>
      listen(allow(RECEIVED, channel), listener, LISTENED[channel]),
  });
  contextBridge.exposeInMainWorld('parleyTools', {
    send: (channel: string, ...args: unknown[]) => ipcRenderer.send(allow(TOOLS_SENT, channel), ...args),
    on: (channel: string, listener: Listener) => listen(allow(TOOLS_RECEIVED, channel), listener),
  });
  contextBridge.exposeInMainWorld('parleySync', {
    fetchState: () => ipcRenderer.invoke(SYNC_STATE),
    fetchPart: (start: unknown, before: unknown) => ipcRenderer.invoke(SYNC_PART, start, before),
    onAction: (listener: Listener) => listen(SYNC_ACTION, listener),
  });
}

/** What the inspector's page gets. */
function exposeInspector(): void {
  contextBridge.exposeInMainWorld('parleyInspect', {
    onLines: (listener: Listener) => listen(INSPECT_LINES, listener, INSPECT_FOLLOW),
    onEnded: (listener: Listener) => listen(INSPECT_ENDED, listener),
    sourceLines: (pair: unknown) => ipcRenderer.invoke(INSPECT_SOURCE, pair),
  });
}

// Any other page gets nothing. Main checks the sender of each message too.
if (location.pathname === MESSENGER_PATH || location.pathname === '/') exposeMessenger();
if (location.pathname === INSPECTOR_PATH) exposeInspector();

/**
 * Returns the channel.
 * @throws {Error} when it is not on the allow-list.
 */
export function allow(channels: readonly string[], channel: string): string {
  if (channels.includes(channel)) return channel;
  throw new Error(`There is no channel named ${JSON.stringify(channel)} here.`);
}

/**
 * Listens without passing Electron's event to the page, because it leads to `ipcRenderer`; then sends the request, if any. Returns a
 * function that stops listening.
 */
export function listen(channel: string, listener: Listener, request?: string): () => void {
  const onMessage = (_: IpcRendererEvent, ...args: unknown[]) => listener(...args);
  ipcRenderer.on(channel, onMessage);
  if (request !== undefined) ipcRenderer.send(request);
  return () => void ipcRenderer.removeListener(channel, onMessage);
}
