import type { BrowserWindow } from 'electron';
import type { StartFailure } from '#shared/ipc/tools.ts';
import { sendTools } from './sendToWindows.ts';
import { messengerWindows } from './messengerWindows.ts';

/** What the windows show in place of a conversation that is not opened. */
export interface StartFailureNotifier {
  tell(failure: StartFailure | null): void;
  greet(window: BrowserWindow): void;
}

/** Tells every window, and each page once it is there. */
export function createStartFailureNotifier(): StartFailureNotifier {
  let shown: StartFailure | null = null;
  return {
    tell(failure) {
      if (failure === shown) return;
      shown = failure;
      for (const { webContents } of messengerWindows()) sendTools(webContents, 'startFailed', failure);
    },
    greet: ({ webContents }) => shown !== null && sendTools(webContents, 'startFailed', shown),
  };
}
