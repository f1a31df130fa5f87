import type { BrowserWindow } from 'electron';
import { sendToolsToAll, sendTools } from './sendToWindows.ts';

/** Notices about the program for the person, in sentences. */
export interface Notices {
  /** Shows a sentence in every window, also in those that open later. */
  notify(words: string): void;
  /** Shows that the newest notice is over; windows that open later show neither. */
  resolve(words: string): void;
  /** Sends the newest notice to a window whose page has loaded. */
  sendTo(window: BrowserWindow): void;
}

/** Creates the notices. The newest one is kept for windows that open later. */
export function createNotices(): Notices {
  let newest: string | undefined;
  return {
    notify(words) {
      newest = words;
      sendToolsToAll('notice', words);
    },
    resolve(words) {
      newest = undefined;
      sendToolsToAll('notice', words);
    },
    sendTo(window) {
      if (newest !== undefined) sendTools(window.webContents, 'notice', newest);
    },
  };
}
