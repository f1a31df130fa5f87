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
