import { expect, test } from 'vitest';
import { ariaShortcut, formatShortcut, systemOf } from './system.ts';

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0', 'mac', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/146.0 Parley/0.2.0 Electron/45.4.1', 'windows', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'linux', false],
])('finds the system of %s', (userAgent, os, isElectron) => {
  expect(systemOf(userAgent)).toEqual({ os, isElectron });
});

const SHORTCUTS = [
  { keys: 'Ctrl+F', onMac: '⌘F', aria: 'Control+F', ariaOnMac: 'Meta+F' },
  { keys: 'Ctrl+Shift+R', onMac: '⇧⌘R', aria: 'Control+Shift+R', ariaOnMac: 'Meta+Shift+R' },
  { keys: 'Alt+Enter', onMac: '⌥Enter', aria: 'Alt+Enter', ariaOnMac: 'Alt+Enter' },
  { keys: 'Ctrl++', onMac: '⌘+', aria: 'Control+Plus', ariaOnMac: 'Meta+Plus' },
];

test.each(SHORTCUTS)(
  'writes $keys as $onMac on macOS, and names its keys to screen readers',
  ({ keys, onMac, aria, ariaOnMac }) => {
    expect(formatShortcut(keys, false)).toBe(keys);
    expect(formatShortcut(keys, true)).toBe(onMac);
    expect(ariaShortcut(keys, false)).toBe(aria);
    expect(ariaShortcut(keys, true)).toBe(ariaOnMac);
  },
);
