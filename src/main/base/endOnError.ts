import { DataFolderError } from '#node/dataFolder.ts';
import { errorLine } from '#shared/formatText.ts';
import { SettingsError } from '#shared/settings.ts';

/** Returns the result of `action`. An unusable setting or data folder ends the process with one line on stderr. */
export function endOnError<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof SettingsError)) throw error;
    process.stderr.write(errorLine(error.message));
    return process.exit(error instanceof DataFolderError ? error.exitStatus : 2);
  }
}
