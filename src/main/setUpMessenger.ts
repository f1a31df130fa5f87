import type { Clock } from '#shared/clock.ts';
import { safeStorage, app } from 'electron';
import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import type { Settings } from '#shared/settings.ts';
import { captureFolder, type CaptureFolder } from './capture/captureFolder.ts';
import { limitCaptures } from './capture/limitCaptures.ts';
import { type Recorder, createRecorder } from './capture/recorder.ts';
import { PARLEY_VERSION } from './desktop/copyDiagnostics.ts';
import { createMessenger } from './session/messenger.ts';
import type { Platform } from './session/signIns.ts';
import { createStartGuard } from './session/startGuard.ts';
import { persistPreferences } from './settings/persistPreferences.ts';
import { setUpAssistant } from './settings/setUpAssistant.ts';
import { accountFile } from './store/accountFile.ts';
import { keepArrivals } from './store/keepArrivals.ts';
import { type Listeners, createMainStore, persistAccount } from './store/mainStore.ts';
import type { createNotices, Faults } from './window/createNotices.ts';

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
  keepArrivals({ store, listeners, dataDir, platform: platform.name, clock, log });
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

interface SetUpRecorderOptions {
  readonly folder: CaptureFolder;
  readonly settings: Pick<Settings, 'capture'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly faults: Faults;
}

/** Creates the program's recorder. Quitting waits for its files, at most 1 s. */
function setUpRecorder({ settings, ...options }: SetUpRecorderOptions): Recorder {
  const recorder = createRecorder({
    ...options,
    writesFiles: settings.capture,
    today: () => new Date(),
    version: PARLEY_VERSION,
  });
  // Not in `before-quit`: the session ends there.
  app.on('will-quit', (event) => {
    const settling = recorder.settling();
    if (settling === undefined) return;
    event.preventDefault();
    void settling.then(() => app.quit());
  });
  return recorder;
}
