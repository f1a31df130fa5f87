import type { Direction } from '#ui/find/hitList.ts';

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns whether a key opens the find bar: Ctrl+F, or ⌘F. */
export const isFindKey = (press: KeyPress): boolean => isShortcut(press, 'f') && !press.shiftKey;

/** Returns the direction in which a key steps through the hits: F3 and Ctrl+G, or ⌘G, to the older one; with Shift to the newer one. */
export function stepOfKey(press: KeyPress): Direction | null {
  const isStep =
    isShortcut(press, 'g') || (press.key === 'F3' && !press.ctrlKey && !press.metaKey && !press.altKey);
  if (!isStep) return null;
  return press.shiftKey ? 'newer' : 'older';
}

const isShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyPress, letter: string): boolean =>
  key.toLowerCase() === letter && ctrlKey !== metaKey && !altKey;
