import type { BrowserWindow, WebContents } from 'electron';
import type { SavedSession, ToolsHeard } from '#shared/ipc/tools.ts';
import { ourWindows } from './sender.ts';

/** Tells one window something on the channels that Parley adds. */
export function tellTools<C extends keyof ToolsHeard>(
  window: WebContents,
  channel: C,
  ...args: ToolsHeard[C]
): void {
  if (!window.isDestroyed()) window.send(channel, ...args);
}

/** Tells every window something on the channels that Parley adds. */
export const tellAll = <C extends keyof ToolsHeard>(channel: C, ...args: ToolsHeard[C]): void =>
  ourWindows().forEach(({ webContents }) => tellTools(webContents, channel, ...args));

/** What every window is told of recordings. */
export interface RecordingTeller {
  /** Where a session was saved that nobody in a window had asked for. */
  saved(session: SavedSession): void;
  /** A session is no longer recorded: said once. */
  stopped(words: string): void;
  greet(window: BrowserWindow): void;
}

/** What was told before any page was there to hear it is kept for the first one. */
export function createRecordingTeller(): RecordingTeller {
  let isAnyPageThere = false;
  let untold: string | undefined;
  return {
    saved: (session) => tellAll('saved', session),
    stopped(words) {
      tellAll('recordingStopped', words);
      untold = isAnyPageThere ? undefined : words;
    },
    greet(window) {
      isAnyPageThere = true;
      if (untold !== undefined) tellTools(window.webContents, 'recordingStopped', untold);
      untold = undefined;
    },
  };
}
