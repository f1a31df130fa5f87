import type { BrowserWindow } from 'electron';
import { sendToolsToAll, sendTools } from './sendToWindows.ts';

/** What a person should know about the program, in sentences. */
export interface Notices {
  /** Shows a sentence in every window, also in those that open later. */
  notify(words: string): void;
  /** Shows that what the newest sentence says is over; windows that open later show neither. */
  resolve(words: string): void;
  greet(window: BrowserWindow): void;
}

/** Keeps the newest notice for the windows that open later. */
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
    greet(window) {
      if (newest !== undefined) sendTools(window.webContents, 'notice', newest);
    },
  };
}
