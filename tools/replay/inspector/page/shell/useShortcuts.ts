import { useEffect } from 'react';
import type { Inspector } from '../session/createInspector.ts';
import { useInspector } from '../session/InspectorContext.ts';
import { SHORTCUTS, type Shortcut } from './keys.ts';

const BY_KEY: ReadonlyMap<string, Shortcut> = new Map(
  Object.values(SHORTCUTS)
    .flat()
    .map((shortcut) => [shortcut.key, shortcut]),
);

/** The elements in which keys write text, and those that have keys of their own. */
const WRITTEN = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';
const PRESSED = 'button, summary, a, input';

/** Returns the name of a key in the table; ignores Shift for punctuation, because its position depends on the keyboard. */
const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  shiftKey && /^(?:[A-Za-z ]|Arrow\w+)$/.test(key)
    ? `Shift+${key.length === 1 ? key.toUpperCase() : key}`
    : key;

/** Handles the keys of the page. */
export function useShortcuts(showKeys: () => void): void {
  const inspector = useInspector();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (handleKey(event, inspector, showKeys)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [inspector, showKeys]);
}

/** Runs the function of a key; returns whether it has one. */
function handleKey(event: KeyboardEvent, inspector: Inspector, showKeys: () => void): boolean {
  const { key } = event;
  // In the picture of a window, `target` is only its host.
  const [target] = event.composedPath();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (target instanceof Element && target.closest(WRITTEN) !== null) return false;
  // An open dialog handles its keys itself, wherever the focus is.
  if (document.querySelector('dialog[open]') !== null) return false;
  if (key === ' ' && target instanceof Element && target.closest(PRESSED) !== null) return false;
  const shortcut = BY_KEY.get(nameOf(event));
  const isReady = inspector.store.get().phase.kind === 'ready';
  if (shortcut === undefined || !(isReady || shortcut.always)) return false;
  shortcut.run(inspector, showKeys);
  return true;
}
