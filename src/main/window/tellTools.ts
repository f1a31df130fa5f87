import type { WebContents } from 'electron';
import type { ToolsHeard } from '#shared/ipc/tools.ts';
import { ourWindows } from './sender.ts';

/** Tells one window something on the channels that Parley adds. */
export function tellTools<C extends keyof ToolsHeard>(
  window: WebContents,
  channel: C,
  ...args: ToolsHeard[C]
): void {
  if (!window.isDestroyed()) window.send(channel, ...args);
}

/** Tells every window something on the channels that Parley adds. */
export const tellAll = <C extends keyof ToolsHeard>(channel: C, ...args: ToolsHeard[C]): void =>
  ourWindows().forEach(({ webContents }) => tellTools(webContents, channel, ...args));
