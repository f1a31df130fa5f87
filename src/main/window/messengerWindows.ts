import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron';
import { APP_ORIGIN } from './pages.ts';

type Message = IpcMainEvent | IpcMainInvokeEvent;

/** The windows that do not belong to the messenger. */
const excluded = new WeakSet<BrowserWindow>();

/** Excludes a window from the messenger: it receives none of its messages, and messages from it are dropped. */
export const excludeWindow = (window: BrowserWindow): void => void excluded.add(window);

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
export const isFromPageOf = (window: BrowserWindow, message: Message): boolean =>
  BrowserWindow.fromWebContents(message.sender) === window && isOurPage(message);

const isOurPage = ({ sender, senderFrame }: Message) =>
  senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === APP_ORIGIN;
