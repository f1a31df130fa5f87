import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron';
import { SYNC_ACTION } from '#shared/ipc/channels.ts';
import { APP_ORIGIN } from './pages.ts';

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
