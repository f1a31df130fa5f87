import type { Action } from '@reduxjs/toolkit';
import type { BrowserWindow } from 'electron';
import type { ToolsReceived } from '#shared/ipc/tools.ts';
import { windowOf } from '#shared/window/windows.ts';
import { sendTools, sendToolsToAll } from '../window/sendToWindows.ts';
import { findWindow } from '../window/windowNumbers.ts';

/** Returns the window that is the source of an act; `undefined` when it has another source, or when the window was closed. */
export function sourceWindow(act: Action): BrowserWindow | undefined {
  const number = windowOf(act);
  return number === undefined ? undefined : findWindow(number);
}

/** Sends the answer to an act to the window that is its source; to every window when a menu or the tray is the source. */
export function answerAct<C extends keyof ToolsReceived>(
  act: Action,
  channel: C,
  ...args: ToolsReceived[C]
): void {
  const window = sourceWindow(act);
  if (window !== undefined) sendTools(window.webContents, channel, ...args);
  else if (windowOf(act) === undefined) sendToolsToAll(channel, ...args);
}
