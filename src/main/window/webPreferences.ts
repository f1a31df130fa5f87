import { join } from 'node:path';

/**
 * What every window's page may do, each one said: Electron's defaults may change, ours do not. Trust ends at the
 * preload, the one script that stands between our pages and us.
 */
export const WEB_PREFERENCES = {
  preload: join(import.meta.dirname, 'preload.cjs'),
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  // Its dictionaries would be fetched from elsewhere.
  spellcheck: false,
} as const satisfies Electron.WebPreferences;
