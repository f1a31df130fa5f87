/** The system of a page: it decides how the window's buttons look, how keys are written, and which keys a window has. */
export interface System {
  readonly os: 'mac' | 'windows' | 'linux';
  /** Whether the page is in Electron. In a browser, some keys are the browser's own. */
  readonly isElectron: boolean;
}

/** Returns the system that a user agent names. */
export const systemOf = (userAgent: string): System => ({
  os: userAgent.includes('Macintosh') ? 'mac' : userAgent.includes('Windows') ? 'windows' : 'linux',
  isElectron: userAgent.includes('Electron/'),
});

/** The system of this page. */
export const system = systemOf(globalThis.navigator?.userAgent ?? '');
