import type { KeyboardEvent } from 'react';
import type { WindowCommands } from './WindowCommands.ts';

/** Follows a key that is pressed in a menu, whose entries are buttons: moves the focus among them. */
export function followMenuKeys(event: KeyboardEvent<HTMLElement>, focus: WindowCommands['focus']): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const entries = Array.from(event.currentTarget.querySelectorAll('button'));
  const at = entries.findIndex((entry) => entry === event.target);
  const labels = entries.map(({ textContent }) => textContent);
  const next = nextItem(event.key, at, labels);
  if (next === null) return;
  event.preventDefault();
  focus(entries[next]);
}

/**
 * Returns the index to which a key moves the focus in a menu, or `null` when it does not move the focus. Arrows wrap around, Home and End
 * go to the ends, and a character goes to the next entry that begins with it.
 */
export function nextItem(key: string, at: number, labels: readonly string[]): number | null {
  const count = labels.length;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return key.length === 1 ? beginningWith(key, at, labels) : null;
  }
}

function beginningWith(character: string, at: number, labels: readonly string[]): number | null {
  const after = labels.map((_, step) => (at + 1 + step) % labels.length);
  return after.find((index) => labels[index]?.toLowerCase().startsWith(character.toLowerCase())) ?? null;
}
