import { join } from 'node:path';
import { dialog } from 'electron';
import { DataFolderError } from '#files/dataFolderError.ts';
import { ListenError } from '#platform/startPlatform.ts';
import { SettingsError, readSettings } from '#shared/settings.ts';
import { startBuiltIn } from './startBuiltIn.ts';
import { takeDataFolder } from './takeDataFolder.ts';

/** What an installed program begins with: as `npm start`, in Electron's own process. */
async function prepare(): Promise<void> {
  const settings = readSettings(process.env);
  const folder = takeDataFolder('electron');
  if (folder !== null && settings.platform === null) await startBuiltIn(folder);
}

try {
  // Electron is not ready before this module has been evaluated, so main still comes in time to register its scheme.
  await prepare();
} catch (error) {
  const isOurs = [DataFolderError, ListenError, SettingsError].some((kind) => error instanceof kind);
  if (!isOurs || !(error instanceof Error)) throw error;
  // Without a terminal a line on stderr is lost; where there is one, Electron writes the words there before it is ready.
  dialog.showErrorBox('Parley cannot start', error.message);
  process.exit(error instanceof DataFolderError ? error.exitStatus : 1);
}
await import(join(import.meta.dirname, 'main.js'));
