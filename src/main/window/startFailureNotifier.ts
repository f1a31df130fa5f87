import type { BrowserWindow } from 'electron';
import type { StartFailure } from '#shared/ipc/tools.ts';
import { sendTools } from './sendToWindows.ts';
import { messengerWindows } from './messengerWindows.ts';

/** Notifies the windows that the conversation is not opened because starts failed. */
interface StartFailureNotifier {
  notify(failure: StartFailure | null): void;
  sendTo(window: BrowserWindow): void;
}

/** Creates the notifier: it notifies every window on a change, and each page when it has loaded. */
export function createStartFailureNotifier(): StartFailureNotifier {
  let shown: StartFailure | null = null;
  return {
    notify(failure) {
      if (failure === shown) return;
      shown = failure;
      for (const { webContents } of messengerWindows()) sendTools(webContents, 'startFailed', failure);
    },
    // Also `null`: a page that was disconnected may show a failure that is over.
    sendTo: ({ webContents }) => sendTools(webContents, 'startFailed', shown),
  };
}
