import { BrowserWindow, ipcMain, nativeImage } from 'electron';
import { join, resolve } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import { findSourceLines } from '#node/findSourceLines.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { INSPECT_ENDED, INSPECT_FOLLOW, INSPECT_LINES, INSPECT_SOURCE } from '#shared/ipc/channels.ts';
import { type StepPair, stepPairSchema } from '#shared/ipc/sourceLines.ts';
import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import { attemptSend } from '../base/handleUncaughtErrors.ts';
import type { Recorder } from '../capture/recorder.ts';
import { WEB_PREFERENCES } from '../window/lockDownPages.ts';
import { excludeWindow, isFromPage } from '../window/messengerWindows.ts';
import { INSPECTOR_PAGE } from '../window/servePages.ts';
import appIcon from '../../assets/icons/256.png?inline';

const nothing = () => {};

interface SetUpInspectorOptions {
  readonly recorder: Pick<Recorder, 'follow'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The folder with the inspector's built files. */
  readonly folder: string;
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
export function setUpInspector({ recorder, clock, log, folder }: SetUpInspectorOptions): () => void {
  let window: BrowserWindow | undefined;
  let stop = nothing;
  let hasEnded = false;
  /** The lines that the window has got, in parts. */
  let shown: string[] = [];

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
    shown = [];
    stop = followSession({
      recorder,
      clock,
      lines(text) {
        shown.push(text);
        send(INSPECT_LINES, text);
      },
      ended(text) {
        hasEnded = true;
        send(INSPECT_ENDED, text);
      },
    });
  });

  ipcMain.handle(INSPECT_SOURCE, async (event, pair: unknown) => {
    const wanted = stepPairSchema.safeParse(pair);
    if (window === undefined || !isFromPage(window, event) || !wanted.success)
      throw new Error('not the inspector of Parley, or not a step');
    return linesOf(wanted.data, shown, folder);
  });

  const open = () => {
    const opened = openInspectorWindow();
    window = opened;
    opened.once('closed', () => {
      if (window !== opened) return;
      window = undefined;
      shown = [];
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

/** Finds the lines of source that ran in a step of the session that a window shows. */
const linesOf = (pair: StepPair, session: readonly string[], folder: string) =>
  findSourceLines(folder, {
    bundle: join(folder, 'replayedApp.mjs'),
    root: resolve(folder, '../..'),
    capture: { name: 'the session', text: session.join('') },
    pairs: [pair],
  });

/** Opens the inspector's window: as locked down as the messenger's, and excluded from the messenger. */
export function openInspectorWindow(): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Inspector',
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 500,
    show: false,
    icon: nativeImage.createFromDataURL(appIcon),
    webPreferences: WEB_PREFERENCES,
  });
  excludeWindow(window);
  // A new window gets the messenger's title by default.
  window.setTitle('Inspector');
  window.once('ready-to-show', () => window.show());
  void window.loadURL(INSPECTOR_PAGE);
  return window;
}

interface Options {
  readonly recorder: Pick<Recorder, 'follow'>;
  readonly clock: Clock;
  /** Receives whole lines of the capture, at most ten times per second. */
  readonly lines: (text: string) => void;
  /** Receives a sentence that says why the session cannot be followed any more; no call follows. */
  readonly ended: (text: string) => void;
}

/** Sends the current session, as a capture, until it ends. Returns a function that stops earlier. */
export function followSession({ recorder, clock, lines, ended }: Options): () => void {
  let isOn = true;
  const batches = createBatches(clock, (text) => {
    if (isOn) lines(text);
  });
  let hasBegun = false;
  const stop = recorder.follow({
    lines(text) {
      hasBegun = true;
      batches.add(text);
    },
    ended() {
      batches.flush();
      isOn = false;
      ended(hasBegun ? 'The session has ended.' : 'There is no session to inspect: log in first.');
    },
  });
  return () => {
    isOn = false;
    stop();
  };
}

/** At most ten batches per second. */
const BATCH_MS = 100;

/** Creates batches of texts, so that a streaming session does not keep a window busy with messages: the first text is sent at once, the texts of the next 100 ms together. */
export function createBatches(clock: Clock, send: (text: string) => void) {
  let waiting = '';
  let cancel: Cancel | undefined;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    cancel = clock.after(BATCH_MS, flush);
    send(text);
  };
  return {
    /** Sends the waiting text at once. */
    flush,
    add(text: string): void {
      if (waiting.length + text.length > WINDOW_MESSAGE_LENGTH) flush();
      waiting += text;
      if (cancel === undefined) flush();
    },
  };
}
