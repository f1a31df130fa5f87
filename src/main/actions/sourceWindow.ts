import type { Action } from '@reduxjs/toolkit';
import type { BrowserWindow } from 'electron';
import type { ToolsReceived } from '#shared/ipc/channels.ts';
import { windowOf } from '#shared/window/windows.ts';
import { sendTools, sendToolsToAll } from '../window/sendToWindows.ts';
import { findWindow } from '../window/windowNumbers.ts';

/** Returns the window that is the source of a user action; `undefined` when it has another source, or when the window was closed. */
export function sourceWindow(action: Action): BrowserWindow | undefined {
  const number = windowOf(action);
  return number === undefined ? undefined : findWindow(number);
}

/** Sends the answer to a user action to the window that is its source; to every window when a menu or the tray is the source. */
export function answerAction<C extends keyof ToolsReceived>(
  action: Action,
  channel: C,
  ...args: ToolsReceived[C]
): void {
  const window = sourceWindow(action);
  if (window !== undefined) sendTools(window.webContents, channel, ...args);
  else if (windowOf(action) === undefined) sendToolsToAll(channel, ...args);
}
