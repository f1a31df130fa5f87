import { join } from 'node:path';

/**
 * What the page of every window may do. Every option is listed, because Electron's defaults may change. The preload is the
 * only trusted script between our pages and main.
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
  // Its dictionaries would be downloaded from another host.
  spellcheck: false,
} as const satisfies Electron.WebPreferences;
