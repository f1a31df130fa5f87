import { join } from 'node:path';
import { app, globalShortcut, screen } from 'electron';
import { type ClaimedFolder, claimDataFolder } from '#files/claimDataFolder.ts';
import { prepareDataFolder } from '#files/dataFolder.ts';
import { watchDataFolder } from '#files/watchDataFolder.ts';
import { plainAddresses, readSettings } from '#shared/settings.ts';
import type { Clock } from '#shared/time/clock.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { audioWindow, audioWindows } from './audio/audioWindow.ts';
import { setUpAudio } from './audio/setUpAudio.ts';
import { builtInPlatform } from './data/builtInPlatform.ts';
import { createFaultNotes } from './desktop/faultNotes.ts';
import { logTail } from './desktop/logTail.ts';
import { setUpDesktop } from './desktop/setUpDesktop.ts';
import { windowTitle } from './desktop/trayState.ts';
import { jsonFile } from './jsonFile.ts';
import { endOnError } from './endOnError.ts';
import { setUpInspector } from './inspector/setUpInspector.ts';
import { setUpLastResort } from './lastResort.ts';
import { createListeners } from './listeners.ts';
import { type Logger, createLog } from './log.ts';
import { platformOf } from './platform.ts';
import { reportBacklog } from './session/reportBacklog.ts';
import { setUpMessenger } from './setUpMessenger.ts';
import { answerStateRequests, beat } from './sync/stateForWindows.ts';
import { blobResponse } from './window/blobs.ts';
import { setUpChannels } from './window/channels.ts';
import { setUpDownloads } from './window/downloads.ts';
import { lockDownPages } from './window/lockDown.ts';
import { registerScheme, servePages } from './window/pages.ts';
import { createNotices } from './window/notices.ts';
import { setUpPermissions } from './window/permissions.ts';
import { createPlaces, placesSchema } from './window/places.ts';
import { openWindow, tellWindows } from './window/windows.ts';

const settings = endOnError(() => readSettings(process.env));
const PAGES = {
  renderer: join(import.meta.dirname, '..', 'renderer'),
  inspector: join(import.meta.dirname, '..', 'inspector'),
};
const builtIn = builtInPlatform(settings, process.env);
const folder = endOnError(() => prepareDataFolder(null));
app.setPath('userData', folder);
registerScheme();

if (app.requestSingleInstanceLock()) void start(endOnError(claimFolder));
else app.quit();

async function start(claimed: ClaimedFolder): Promise<void> {
  await app.whenReady();
  const tail = logTail();
  const clock = systemClock(globalThis);
  const notices = createNotices();
  const faults = createFaultNotes(notices);
  const log = startLog({ dataDir: folder, clock, tail, faults });
  const listeners = createListeners(log);
  const platform = endOnError(() => platformOf(settings, process.env));
  const data = { dataDir: folder, settings };
  const parts = await setUpMessenger({ ...data, platform, listeners, clock, log, faults });
  const { store, messenger, recorder, accountTeller, startFailure } = parts;

  const isAudioOn = () => store.getState().preferences.audio;
  const electronAudio = { shortcuts: globalShortcut, windows: audioWindows, tellWindows };
  const audio = setUpAudio({ store, listeners, clock, isAudioOn, ...electronAudio });

  watchDataFolder({ folder: claimed, clock, log, notify: notices.notify });

  const places = placesOfWindows(clock, log);
  let isQuitting = false;
  const windowOptions = {
    onLoaded(window: Electron.BrowserWindow) {
      accountTeller.greet(window, messenger.account());
      startFailure.greet(window);
      notices.greet(window);
      audio.loaded(audioWindow(window.webContents));
    },
    hidesOnClose: () => !isQuitting,
    title: () => windowTitle(store.getState()),
    takeSlot: places.takeSlot,
  };

  setUpPermissions(isAudioOn);
  setUpDownloads();
  lockDownPages(clock);
  servePages(PAGES, (path) => blobResponse(store.getState().conversation, path));
  const inspect = setUpInspector({ recorder, clock, log });
  answerStateRequests(store, log);
  const desktop = setUpDesktop({
    ...parts,
    ...data,
    listeners,
    inspect,
    places,
    tail,
    log,
    windowOptions,
    builtInPlatform: builtIn,
  });
  setUpChannels({ messenger, recorder, inspect, audio, desktop, store, listeners, log });
  beat(store, clock);
  reportBacklog(store, clock);
  setUpLastResort({ source: process, log, note: notices.notify });
  messenger.start();

  app.on('before-quit', () => {
    isQuitting = true;
    messenger.quit();
  });

  openWindow(windowOptions);
}

/** `npm start` has taken the folder already, and shares it with the host that it starts. */
function claimFolder(): ClaimedFolder {
  return claimDataFolder(folder, process.versions.electron === undefined ? 'web' : 'electron');
}

function startLog(options: Parameters<typeof createLog>[0]): Logger {
  const { log } = createLog(options);
  for (const name of plainAddresses(settings))
    log.warn(`${name} is a plain address: what is sent can be read on its way`);
  return log;
}

const placesOfWindows = (clock: Clock, log: Logger) =>
  createPlaces({
    file: jsonFile({ path: join(folder, 'window.json'), schema: placesSchema, log }),
    displays: () => screen.getAllDisplays(),
    clock,
  });
