import { app } from 'electron';
import type { Settings } from '#shared/settings.ts';
import type { Clock } from '#shared/clock.ts';
import { PARLEY_VERSION } from '../base/parleyVersion.ts';
import type { Faults } from '../window/notices.ts';
import type { Logger } from '#node/createLogger.ts';
import type { CaptureFolder } from './captureFolder.ts';
import { type Recorder, createRecorder } from './recorder.ts';

interface Options {
  readonly folder: CaptureFolder;
  readonly settings: Pick<Settings, 'capture'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly faults: Faults;
}

/** Creates the program's recorder. Quitting waits for its files, at most 1 s. */
export function setUpRecorder({ settings, ...options }: Options): Recorder {
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
