import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron';
import { APP_ORIGIN } from './pages.ts';

/** Whether a message comes from the page of one of our windows: its main frame, showing our own origin. */
export function isOurWindow({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return (
    BrowserWindow.fromWebContents(sender) !== null &&
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    senderFrame.origin === APP_ORIGIN
  );
}
