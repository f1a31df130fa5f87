import type { App } from 'electron';

/** The application's identifier in the installers: `appId` in `packaging/config.mjs`. */
export const APP_ID = 'app.parley.desktop';

/**
 * Sets the name of the program, which Electron otherwise takes from a package: the operating system's keyring stores the key
 * of `safeStorage` under it, and Linux finds the icon of a window with it. On Windows, notifications and the taskbar's
 * group need the identifier of the installed shortcut. Call it before `app` is ready.
 */
export function identifyProgram(app: Pick<App, 'setName' | 'setAppUserModelId'>, platform: string): void {
  app.setName('Parley');
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
}
