import { expect, test } from 'vitest';
import { ariaShortcut, formatShortcut } from './formatShortcut.ts';

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
