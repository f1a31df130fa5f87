import type { BrowserWindow } from 'electron';
import type { StartFailure } from '#shared/ipc/tools.ts';
import { tellTools } from './tellTools.ts';
import { ourWindows } from './sender.ts';

/** What the windows show in place of a conversation that is not opened. */
export interface StartFailureTeller {
  tell(failure: StartFailure | null): void;
  greet(window: BrowserWindow): void;
}

/** Tells every window, and each page once it is there. */
export function createStartFailureTeller(): StartFailureTeller {
  let shown: StartFailure | null = null;
  return {
    tell(failure) {
      if (failure === shown) return;
      shown = failure;
      for (const { webContents } of ourWindows()) tellTools(webContents, 'startFailed', failure);
    },
    greet: ({ webContents }) => shown !== null && tellTools(webContents, 'startFailed', shown),
  };
}
