import { createNote } from './note.ts';

interface Tab {
  readonly window: Window & typeof globalThis;
  /** The place for notes. */
  readonly overlay: { addNote(note: HTMLElement): void };
  readonly path: string;
  /** The name by which the tab is found again. */
  readonly name: string;
}

/** Opens a tab, or brings the tab with that name to the front. When the browser forbids it, a note requests a click. */
export function openTab(wanted: Tab): void {
  if (tryToOpen(wanted)) return;
  const { window, overlay } = wanted;
  const { element } = createNote(
    window,
    { title: 'Parley has a window to show.', body: 'Open it' },
    { clicked: () => void tryToOpen(wanted), removed: () => {} },
  );
  overlay.addNote(element);
}

function tryToOpen({ window, path, name }: Tab): boolean {
  // Without an address an existing tab is unchanged, and a new tab is blank.
  const tab = window.open('', name);
  if (tab === null) return false;
  if (tab.location.pathname !== path) tab.location.replace(new URL(path, window.location.origin));
  tab.focus();
  return true;
}
