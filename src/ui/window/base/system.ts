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

/** The keys of macOS, in the order in which its menus write them. */
const MAC_KEYS: readonly (readonly [key: string, symbol: string])[] = [
  ['Alt', '⌥'],
  ['Shift', '⇧'],
  ['Ctrl', '⌘'],
];

/** Returns a shortcut as menus of the system write it: `Ctrl+Shift+R`, and `⇧⌘R` on macOS. */
export function formatShortcut(shortcut: string, isMac: boolean): string {
  if (!isMac) return shortcut;
  const [key = '', ...modifiers] = shortcut.split(/\+(?=.)/).toReversed();
  return MAC_KEYS.map(([name, symbol]) => (modifiers.includes(name) ? symbol : '')).join('') + key;
}

/** Returns a shortcut as the attribute `aria-keyshortcuts` has it. */
export const ariaShortcut = (shortcut: string, isMac: boolean): string =>
  shortcut.replace('Ctrl+', isMac ? 'Meta+' : 'Control+').replace(/\+\+$/, '+Plus');
