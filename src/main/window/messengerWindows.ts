import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron';
import { APP_ORIGIN } from './pages.ts';

type Message = IpcMainEvent | IpcMainInvokeEvent;

/** Windows that are none of the messenger's. */
const apart = new WeakSet<BrowserWindow>();

/** Sets a window apart: it is told nothing that the messenger's windows are told, and nothing is heard from it. */
export const excludeWindow = (window: BrowserWindow): void => void apart.add(window);

/** The messenger's windows, the oldest first. */
export const messengerWindows = (): BrowserWindow[] =>
  BrowserWindow.getAllWindows().filter((window) => !apart.has(window));

/** The windows that were set apart. */
export const excludedWindows = (): BrowserWindow[] =>
  BrowserWindow.getAllWindows().filter((window) => apart.has(window));

/** Whether a message comes from the page of one of the messenger's windows: its main frame, showing our own origin. */
export function isFromMessengerWindow(message: Message): boolean {
  const window = BrowserWindow.fromWebContents(message.sender);
  return window !== null && !apart.has(window) && isOurPage(message);
}

/** The same of one window, whichever it is. */
export const isFromPageOf = (window: BrowserWindow, message: Message): boolean =>
  BrowserWindow.fromWebContents(message.sender) === window && isOurPage(message);

const isOurPage = ({ sender, senderFrame }: Message) =>
  senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.origin === APP_ORIGIN;
