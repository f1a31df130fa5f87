import { join } from 'node:path';
import { app, globalShortcut } from 'electron';
import { type ClaimedFolder, claimDataFolder, watchDataFolder } from '#node/claimDataFolder.ts';
import { prepareDataFolder } from '#node/dataFolder.ts';
import { windowOpenRequested } from '#shared/actions/userActions.ts';
import { readSettings } from '#shared/settings.ts';
import { systemClock } from '#shared/clock.ts';
import { windowTitle } from '#shared/window/attention.ts';
import { performUserActions } from './actions/performUserActions.ts';
import { audioWindow, audioWindows } from './audio/audioWindow.ts';
import { setUpAudio } from './audio/setUpAudio.ts';
import { createLog } from './base/createLog.ts';
import { endOnError } from './base/endOnError.ts';
import { handleUncaughtErrors } from './base/handleUncaughtErrors.ts';
import { hasTray } from './desktop/hasTray.ts';
import { identifyProgram } from './desktop/identifyProgram.ts';
import { setUpDesktop } from './desktop/setUpDesktop.ts';
import { setUpInspector } from './inspector/setUpInspector.ts';
import { answerStateRequests, startHeartbeat } from './ipc/answerStateRequests.ts';
import { blobResponse } from './ipc/blobResponse.ts';
import { sendAccount, setUpChannels } from './ipc/setUpChannels.ts';
import { findPlatform } from './session/platform.ts';
import { reportBacklog } from './session/reportBacklog.ts';
import { setUpMessenger } from './setUpMessenger.ts';
import { createListeners } from './store/listeners.ts';
import { followWindows } from './window/followWindows.ts';
import { lockDownPages } from './window/lockDownPages.ts';
import { createNotices, followNotices } from './window/notices.ts';
import { registerScheme, servePages } from './window/pages.ts';
import { setUpWindowBounds } from './window/windowBounds.ts';
import { setUpContextMenu } from './window/setUpContextMenu.ts';
import { setUpDownloads } from './window/setUpDownloads.ts';
import { setUpPermissions } from './window/setUpPermissions.ts';
import { sendToWindows } from './window/sendToWindows.ts';
import type { WindowOptions } from './window/windows.ts';

type Parts = Awaited<ReturnType<typeof setUpMessenger>>;

const settings = endOnError(() => readSettings(process.env));
const PAGES = {
  renderer: join(import.meta.dirname, '..', 'renderer'),
  inspector: join(import.meta.dirname, '..', 'inspector'),
};
/** The parts of Electron that the audio module uses. */
const ELECTRON_AUDIO = { shortcuts: globalShortcut, windows: audioWindows, sendToWindows };

identifyProgram(app, process.platform);
const dataDir = endOnError(() => prepareDataFolder(null));
app.setPath('userData', dataDir);
registerScheme();

setUpContextMenu();
if (app.requestSingleInstanceLock()) void start(endOnError(claimFolder));
else app.quit();

/** Starts every part of the program, in this order, and opens the first window. */
async function start(claimed: ClaimedFolder): Promise<void> {
  await app.whenReady();
  const clock = systemClock(globalThis);
  const platform = endOnError(() => findPlatform(settings, process.env));
  const notices = createNotices();
  const { log, tail } = createLog({
    dataDir,
    settings,
    clock,
    onFailure: (error) => notices.faults.paused('log', error),
    onRecovery: () => notices.faults.resumed('log'),
  });
  const listeners = createListeners(log, notices.notify);
  const base = { dataDir, settings, clock, log, listeners };
  const parts = await setUpMessenger({ ...base, platform, notices });
  const { store, messenger } = parts;
  followNotices(listeners);
  const isAudioOn = () => store.getState().preferences.audio;
  const audio = setUpAudio({ ...base, ...ELECTRON_AUDIO, store, isAudioOn });
  const windowBounds = setUpWindowBounds(base);
  const windowOptions = {
    onOpened: followWindows(store, clock),
    onLoaded(window: Electron.BrowserWindow) {
      sendAccount(store.getState(), [window]);
      audio.loaded(audioWindow(window.webContents));
    },
    ...endAtQuit(parts),
    title: () => windowTitle(store.getState().attention),
    theme: () => store.getState().preferences.theme,
    takeSlot: windowBounds.takeSlot,
  };

  watchDataFolder({ folder: claimed, clock, log, notify: notices.notify });
  setUpPermissions(isAudioOn);
  setUpDownloads({ notify: notices.notify, store });
  lockDownPages(clock);
  servePages(PAGES, { ...windowOptions, blob: (path) => blobResponse(store.getState().conversation, path) });
  answerStateRequests({ store, clock, log });
  const inspect = setUpInspector({ ...base, ...parts });
  performUserActions({ ...base, ...parts, audio, inspect, windowBounds, tail, windowOptions });
  setUpDesktop({ listeners, store, messenger });
  setUpChannels({ store, listeners, clock, log });
  startHeartbeat(store, clock);
  reportBacklog(store, clock);
  handleUncaughtErrors({ source: process, log, note: notices.notify });
  messenger.start();
  store.dispatch(windowOpenRequested());
}

/** Claims the data folder; when `npm start` has claimed it already, the claim is shared with this program. */
function claimFolder(): ClaimedFolder {
  return claimDataFolder(dataDir, process.versions.electron === undefined ? 'web' : 'electron');
}

/**
 * Ends the messenger and writes the preferences when the program quits.
 * @returns whether closing a window only hides it (until the program is quitting), and whether there is a tray.
 */
function endAtQuit({
  messenger,
  preferences,
}: Pick<Parts, 'messenger' | 'preferences'>): Pick<WindowOptions, 'hidesOnClose' | 'hasTray'> {
  let isQuitting = false;
  app.on('before-quit', () => {
    isQuitting = true;
    messenger.quit();
  });
  // Also after an exit that does not ask whether to quit.
  app.on('quit', preferences.flush);
  return {
    hidesOnClose: () => !isQuitting,
    hasTray: () => hasTray(process.versions.electron === undefined ? 'web' : process.platform),
  };
}
