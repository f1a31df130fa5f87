import { app, globalShortcut } from 'electron';
import { join } from 'node:path';
import { claimDataFolder, type ClaimedFolder, watchDataFolder } from '#node/claimDataFolder.ts';
import { DataFolderError, prepareDataFolder } from '#node/dataFolder.ts';
import { windowOpenRequested } from '#shared/actions/userActions.ts';
import { systemClock } from '#shared/clock.ts';
import { errorLine } from '#shared/formatText.ts';
import { readSettings, SettingsError } from '#shared/settings.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { performUserActions } from './actions/performUserActions.ts';
import { setUpAudio } from './audio/setUpAudio.ts';
import { createLog } from './base/createLog.ts';
import { handleUncaughtErrors } from './base/handleUncaughtErrors.ts';
import { identifyProgram, setUpDesktop } from './desktop/setUpDesktop.ts';
import { setUpInspector } from './desktop/setUpInspector.ts';
import { hasTray } from './desktop/setUpTray.ts';
import { answerStateRequests, reportBacklog, startHeartbeat } from './ipc/answerStateRequests.ts';
import { sendAccount, setUpChannels } from './ipc/setUpChannels.ts';
import { findPlatform } from './session/signIns.ts';
import { setUpMessenger } from './setUpMessenger.ts';
import { createListeners } from './store/mainStore.ts';
import { createNotices, showNotices } from './window/createNotices.ts';
import { lockDownPages, setUpPermissions } from './window/lockDownPages.ts';
import { audioWindow, audioWindows, sendTools, sendToWindows } from './window/messengerWindows.ts';
import { followWindow, type WindowOptions } from './window/openWindow.ts';
import { blobResponse, registerScheme, servePages } from './window/servePages.ts';
import { setUpContextMenu, setUpDownloads } from './window/setUpContextMenu.ts';
import { setUpWindowBounds } from './window/windowBounds.ts';

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
  const { store, messenger, assistant } = parts;
  showNotices(listeners);
  const isAudioOn = () => store.getState().preferences.audio;
  const audio = setUpAudio({ ...base, ...ELECTRON_AUDIO, store, isAudioOn });
  const windowBounds = setUpWindowBounds(base);
  const windowOptions = {
    onOpened: (window: Electron.BrowserWindow, number: number) =>
      followWindow({ store, clock }, window, number),
    onLoaded(window: Electron.BrowserWindow) {
      sendAccount(store.getState(), [window]);
      if (assistant !== undefined) sendTools(window.webContents, 'assistantInUse', assistant.inUse());
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
  const inspect = setUpInspector({ ...base, ...parts, folder: PAGES.inspector });
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

/** Returns the result of `action`. An unusable setting or data folder ends the process with one line on stderr. */
function endOnError<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof SettingsError)) throw error;
    process.stderr.write(errorLine(error.message));
    return process.exit(error instanceof DataFolderError ? error.exitStatus : 2);
  }
}
