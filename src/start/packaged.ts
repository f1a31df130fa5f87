import { dialog } from 'electron';
import { DataFolderError } from '#node/dataFolder.ts';
import { ListenError } from '#platform/startPlatform.ts';
import { SettingsError } from '#shared/settings.ts';
import { importMain, startBuiltIn, takeDataFolder, readAllSettings } from './startBuiltIn.ts';

/** Starts an installed program: does what `npm start` does, in Electron's own process. */
async function prepare(): Promise<void> {
  const settings = readAllSettings();
  const folder = takeDataFolder('electron');
  if (folder !== null && settings.platform === null) await startBuiltIn(folder, settings.builtIn);
}

try {
  // Electron becomes ready after this module was evaluated, so main still registers its scheme in time.
  await prepare();
} catch (error) {
  const isOurs = [DataFolderError, ListenError, SettingsError].some((kind) => error instanceof kind);
  if (!isOurs || !(error instanceof Error)) throw error;
  // Without a terminal a line on stderr is lost, so the message is shown in a dialog; before it is ready, Electron writes it to stderr.
  dialog.showErrorBox('Parley cannot start', error.message);
  process.exit(error instanceof DataFolderError ? error.exitStatus : 1);
}
await importMain();
