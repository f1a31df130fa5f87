import { arch, platform, release } from 'node:os';
import { BrowserWindow, clipboard } from 'electron';
import type { Settings } from '#shared/settings.ts';
import type { Logger } from '#node/createLogger.ts';
import type { MainStore } from '../store/mainStore.ts';
import { PARLEY_VERSION } from '../base/parleyVersion.ts';
import { aboutParley } from './about.ts';
import { diagnosticsText } from './diagnosticsText.ts';
import type { LogTail } from '../base/logTail.ts';

interface Options {
  readonly settings: Settings;
  readonly store: MainStore;
  readonly tail: LogTail;
  readonly log: Logger;
}

/** Copies the current diagnostics to the clipboard. Resolves to whether this succeeded. */
export async function copyDiagnostics({ settings, store, tail, log }: Options): Promise<boolean> {
  try {
    const text = diagnosticsText({
      about: aboutParley(PARLEY_VERSION, process.versions),
      system: `${platform()} ${release()} ${arch()}`,
      settings,
      state: store.getState(),
      windows: BrowserWindow.getAllWindows().length,
      log: tail.lines(),
    });
    await clipboard.writeText(text);
    return true;
  } catch {
    log.warn('the diagnostics could not be copied to the clipboard');
    return false;
  }
}
