import { join } from 'node:path';
import { safeStorage } from 'electron';
import type { Settings } from '#shared/settings.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/clock.ts';
import { accountFile } from './account/accountFile.ts';
import { setUpAssistant } from './assistant/setUpAssistant.ts';
import { PARLEY_VERSION } from './base/parleyVersion.ts';
import { captureFolder } from './capture/captureFolder.ts';
import { limitCaptures } from './capture/limitCaptures.ts';
import { setUpRecorder } from './capture/setUpRecorder.ts';
import type { createNotices } from './window/notices.ts';
import type { Listeners } from './store/listeners.ts';
import type { Logger } from '#node/createLogger.ts';
import { createMessenger } from './session/messenger.ts';
import type { Platform } from './session/platform.ts';
import { persistPreferences } from './preferences/persistPreferences.ts';
import { createStartGuard } from './session/startGuard.ts';
import { createMainStore, persistAccount } from './store/mainStore.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly platform: Platform;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
  readonly notices: ReturnType<typeof createNotices>;
}

const today = () => new Date();

/** Creates the store with its stored parts, the recorder of its sessions, and the messenger: everything except the desktop. */
export async function setUpMessenger(options: Options) {
  const { dataDir, settings, platform, listeners, clock, log, notices } = options;
  const folder = captureFolder(join(dataDir, 'captures'));
  const recorder = setUpRecorder({ folder, settings, clock, log, faults: notices.faults });
  const store = createMainStore({
    clock,
    capture: recorder,
    listeners,
    log,
    platform: platform.name,
    accountFile: accountFile({ path: join(dataDir, 'account.json'), encryption: safeStorage, log }),
  });
  notices.begin(store);
  const persistor = await persistAccount(store);
  const assistant = await setUpAssistant({
    ...options,
    notify: notices.notify,
    environment: process.env,
    encryption: safeStorage,
  });
  const preferences = persistPreferences({ store, listeners, dataDir, settings, clock, log });
  const captures = limitCaptures({ folder, recorder, store, listeners, today, log });
  const startGuard = createStartGuard({ dataDir, folder, clock, today, version: PARLEY_VERSION, log });
  listeners.startListening({ actionCreator: updateApplied, effect: startGuard.applied });
  const messenger = createMessenger({
    platform,
    store,
    persistor,
    clock,
    today,
    log,
    capture: recorder,
    startGuard,
  });
  return { store, messenger, recorder, preferences, captures, assistant };
}
