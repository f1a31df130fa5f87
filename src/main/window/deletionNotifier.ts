import type { BrowserWindow } from 'electron';
import { signInFormCleared } from '#shared/window/signInForm.ts';
import { windowOf } from '#shared/window/windows.ts';
import type { Listeners } from '../store/listeners.ts';
import { messengerWindows } from './messengerWindows.ts';
import { sendTools } from './sendToWindows.ts';
import { windowNumber } from './windowNumbers.ts';

/** Notifies the windows that the person's data was deleted: what they show of it is deleted too. */
export interface DeletionNotifier {
  /** @param text the result, as a sentence for the person. */
  notify(text: string): void;
  /** Notifies a window again whose page has loaded or connected again, unless it has cleared its form. */
  sendTo(window: BrowserWindow): void;
}

/** Creates the notifier. A page of the web host that is disconnected does not receive the notification, so it is repeated until the window reports its effect. */
export function createDeletionNotifier({ startListening }: Listeners): DeletionNotifier {
  /** The texts that windows have not received yet, by the window's number. */
  const waiting = new Map<number | undefined, string>();
  startListening({
    actionCreator: signInFormCleared,
    effect: (action) => void waiting.delete(windowOf(action)),
  });
  const sendTo = ({ webContents }: BrowserWindow) => {
    const text = waiting.get(windowNumber(webContents));
    if (text !== undefined) sendTools(webContents, 'dataDeleted', text);
  };
  return {
    notify(text) {
      waiting.clear();
      for (const window of messengerWindows()) {
        waiting.set(windowNumber(window.webContents), text);
        sendTo(window);
      }
    },
    sendTo,
  };
}
