import type { Cancel } from '#shared/clock.ts';
import type { Action } from '@reduxjs/toolkit';
import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { type Received, SYNC_ACTION, type ToolsReceived } from '#shared/ipc/channels.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import { APP_ORIGIN } from './servePages.ts';

type Message = IpcMainEvent | IpcMainInvokeEvent;

/** The windows that do not belong to the messenger. */
const excluded = new WeakSet<BrowserWindow>();

/**
 * Excludes a window from the messenger: it receives none of its messages, and messages from it are dropped. electron-redux forwards
 * actions to every page, so this page's own `send` drops them.
 */
export function excludeWindow(window: BrowserWindow): void {
  excluded.add(window);
  const { webContents } = window;
  const send = webContents.send.bind(webContents);
  webContents.send = (channel, ...args) => {
    if (channel !== SYNC_ACTION) send(channel, ...args);
  };
}

/** Returns the messenger's windows, the oldest first. */
export const messengerWindows = (): BrowserWindow[] =>
  BrowserWindow.getAllWindows().filter((window) => !excluded.has(window));

/** Returns the excluded windows. */
export const excludedWindows = (): BrowserWindow[] =>
  BrowserWindow.getAllWindows().filter((window) => excluded.has(window));

/** Returns whether a message comes from a messenger window: from its main frame, at our own origin. */
export function isFromMessengerWindow(message: Message): boolean {
  const window = BrowserWindow.fromWebContents(message.sender);
  return window !== null && !excluded.has(window) && isOurPage(message);
}

/** Returns whether a message comes from this window: from its main frame, at our own origin. */
export const isFromPage = (window: BrowserWindow, message: Message): boolean =>
  BrowserWindow.fromWebContents(message.sender) === window && isOurPage(message);

const isOurPage = ({ sender, senderFrame }: Message) =>
  senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === APP_ORIGIN;

const numbers = new WeakMap<BrowserWindow, number>();
let lastNumber = 0;

/** Gives a new messenger window its number: 1, 2, … in the order of opening. A number is not used again. */
export function numberWindow(window: BrowserWindow): number {
  lastNumber += 1;
  numbers.set(window, lastNumber);
  return lastNumber;
}

/** Returns the number of the messenger window that shows a page; `undefined` when it has none. */
export function windowNumber(contents: WebContents): number | undefined {
  const window = BrowserWindow.fromWebContents(contents);
  return window === null ? undefined : numbers.get(window);
}

/** Returns the open messenger window with a number; `undefined` when it was closed. */
export const findWindow = (number: number): BrowserWindow | undefined =>
  messengerWindows().find((window) => numbers.get(window) === number);

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

/** A window that can record or play audio. */
export interface AudioWindow {
  readonly id: number;
  send<C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]): void;
  /** Runs `task` when the page is gone; not when it reloads. */
  onGone(task: () => void): Cancel;
}

/** Returns a page as an audio window. */
export function audioWindow(contents: WebContents): AudioWindow {
  return {
    id: contents.id,
    send: (channel, ...args) => sendTools(contents, channel, ...args),
    onGone(task) {
      contents.on('destroyed', task);
      contents.on('render-process-gone', task);
      return () => {
        contents.off('destroyed', task);
        contents.off('render-process-gone', task);
      };
    },
  };
}

/** Returns all windows, the focused one first. */
export function audioWindows(): AudioWindow[] {
  const windows = messengerWindows();
  return [
    ...windows.filter((window) => window.isFocused()),
    ...windows.filter((window) => !window.isFocused()),
  ].map(({ webContents }) => audioWindow(webContents));
}
