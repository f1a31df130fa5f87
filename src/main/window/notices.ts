import type { BrowserWindow } from 'electron';
import { sendToolsToAll, sendTools } from './sendToWindows.ts';

/** Notices about the program for the person, in sentences. */
export interface Notices {
  /** Shows a sentence in every window, also in those that open later. */
  notify(text: string): void;
  /** Shows that the newest notice is over; windows that open later show neither. */
  resolve(text: string): void;
  /** Sends the newest notice to a window whose page has loaded. */
  sendTo(window: BrowserWindow): void;
}

/** Creates the notices. The newest one is kept for windows that open later. */
export function createNotices(): Notices {
  let newest: string | undefined;
  return {
    notify(text) {
      newest = text;
      sendToolsToAll('notice', text);
    },
    resolve(text) {
      newest = undefined;
      sendToolsToAll('notice', text);
    },
    sendTo(window) {
      if (newest !== undefined) sendTools(window.webContents, 'notice', newest);
    },
  };
}
