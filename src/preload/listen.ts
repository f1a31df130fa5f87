import { ipcRenderer, type IpcRendererEvent } from 'electron';
import type { Listener } from '#shared/ipc/channels.ts';

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
