import { type BrowserWindow, ipcMain } from 'electron';
import { INSPECT_ENDED, INSPECT_FOLLOW, INSPECT_LINES } from '#shared/ipc/channels.ts';
import type { Clock } from '#shared/clock.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Logger } from '#node/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { isFromPage } from '../window/messengerWindows.ts';
import { followSession } from './followSession.ts';
import { openInspectorWindow } from './inspectorWindow.ts';

const nothing = () => {};

interface Options {
  readonly recorder: Pick<Recorder, 'follow'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Sets up "Inspect this session": a separate window that follows the session. It receives nothing else: a capture contains
 * no account identifier.
 *
 *     closed ── inspect ──▶ open ── its page requests ──▶ following ── the session ends ──▶ ended
 *       ▲                    ▲                            │                              │
 *       │                    └──────── its page reloads ──┘                              │
 *       └── the window is closed, from anywhere           a new window ◀──── inspect ────┘
 *
 * @returns a function that opens the window, or brings it to the front.
 */
export function setUpInspector({ recorder, clock, log }: Options): () => void {
  let window: BrowserWindow | undefined;
  let stop = nothing;
  let hasEnded = false;

  const send = (channel: string, text: string) => {
    if (window?.isDestroyed() !== false) return;
    const { webContents } = window;
    // A line can be too long for the bridge; the recording must continue.
    attemptSend(log, channel, () => webContents.send(channel, text));
  };
  ipcMain.on(INSPECT_FOLLOW, (event) => {
    if (window === undefined || !isFromPage(window, event)) {
      log.warn(
        { channel: INSPECT_FOLLOW },
        'a message was dropped: it is not valid, or not from a window of Parley',
      );
      return;
    }
    stop();
    hasEnded = false;
    stop = followSession({
      recorder,
      clock,
      lines: (text) => send(INSPECT_LINES, text),
      ended(text) {
        hasEnded = true;
        send(INSPECT_ENDED, text);
      },
    });
  });

  const open = () => {
    const opened = openInspectorWindow();
    window = opened;
    opened.once('closed', () => {
      if (window !== opened) return;
      window = undefined;
      stop();
    });
  };
  return () => {
    // The window shows a session that has ended.
    if (hasEnded) window?.destroy();
    hasEnded = false;
    if (window === undefined) return open();
    window.show();
    return window.focus();
  };
}
