import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, safeStorage } from 'electron';
import { dataDir } from '#shared/dataDir.ts';
import { plainAddresses, readSettings } from '#shared/settings.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { accountFile } from './account/accountFile.ts';
import { setUpRecorder } from './capture/setUpRecorder.ts';
import { createListeners } from './listeners.ts';
import { createLog } from './log.ts';
import { createMessenger } from './messenger.ts';
import { platformOf } from './platform.ts';
import { createMainStore, keepAccount } from './store.ts';
import { answerStateRequests, beat } from './sync/stateForWindows.ts';
import { createAccountTeller } from './window/accountTeller.ts';
import { setUpChannels } from './window/channels.ts';
import { setUpNotifications } from './window/notifications.ts';
import { registerScheme, servePages } from './window/pages.ts';
import { denyPermissions } from './window/permissions.ts';
import { createRecordingTeller } from './window/recordingTeller.ts';
import { setUpTray } from './window/tray.ts';
import { openWindow, showWindow } from './window/windows.ts';

const settings = readSettings(process.env);
const platform = platformOf(settings, process.env);
const folder = dataDir(process.env, process.platform, homedir());
app.setPath('userData', folder);
registerScheme();

if (app.requestSingleInstanceLock()) void start();
else app.quit();

async function start(): Promise<void> {
  await app.whenReady();
  const log = createLog(folder);
  for (const name of plainAddresses(settings))
    log.warn(`${name} is a plain address: what is sent can be read on its way`);

  const clock = systemClock(globalThis);
  const listeners = createListeners();
  const recordings = createRecordingTeller();
  const recorder = setUpRecorder({ dataDir: folder, settings, clock, log, onStopped: recordings.stopped });
  const store = createMainStore({
    clock,
    capture: recorder,
    listeners,
    platform: platform.name,
    accountFile: accountFile({ path: join(folder, 'account.json'), encryption: safeStorage, log }),
  });
  const keeper = await keepAccount(store);
  const accountTeller = createAccountTeller();
  const messenger = createMessenger({
    platform,
    store,
    keeper,
    clock,
    log,
    capture: recorder,
    tellAccount: accountTeller.tell,
  });

  let isQuitting = false;
  const windowOptions = {
    onLoaded(window: Electron.BrowserWindow) {
      accountTeller.greet(window, messenger.account());
      recordings.greet(window);
    },
    hidesOnClose: () => !isQuitting,
  };
  const show = () => showWindow(windowOptions);

  denyPermissions();
  servePages(join(import.meta.dirname, '..', 'renderer'));
  answerStateRequests(store);
  setUpChannels({ messenger, recorder, store, listeners, log });
  setUpNotifications(listeners, show);
  setUpTray({
    store,
    listeners,
    showWindow: show,
    saveSession: () => void recorder.save().then(recordings.saved),
    signOut: () => void messenger.signOut(),
    quit: () => app.quit(),
  });
  beat(store, clock);
  messenger.start();

  app.on('second-instance', show);
  app.on('activate', show);
  app.on('new-window-for-tab', () => openWindow(windowOptions));
  app.on('before-quit', () => {
    isQuitting = true;
    messenger.quit();
  });

  openWindow(windowOptions);
}
