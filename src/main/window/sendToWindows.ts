import type { WebContents } from 'electron';
import type { Received, ToolsReceived } from '#shared/ipc/channels.ts';
import { messengerWindows } from './messengerWindows.ts';

/** Sends a message to every messenger window, on a channel of spec §6.3. */
export function sendToWindows<C extends keyof Received>(channel: C, ...args: Received[C]): void {
  for (const { webContents } of messengerWindows()) webContents.send(channel, ...args);
}

/** Sends a message to one window, on a channel that Parley adds (`parleyTools`). */
export function sendTools<C extends keyof ToolsReceived>(
  window: WebContents,
  channel: C,
  ...args: ToolsReceived[C]
): void {
  if (!window.isDestroyed()) window.send(channel, ...args);
}

/** Sends a message to every messenger window, on a channel that Parley adds (`parleyTools`). */
export function sendToolsToAll<C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]): void {
  for (const { webContents } of messengerWindows()) sendTools(webContents, channel, ...args);
}
