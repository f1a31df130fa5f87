import { createNote } from './note.ts';

interface Tab {
  readonly window: Window & typeof globalThis;
  /** Where a note is put. */
  readonly surface: { addNote(note: HTMLElement): void };
  readonly path: string;
  /** What the tab is known by from then on. */
  readonly name: string;
}

/** Opens a tab, or brings the one of that name to the front; where the browser forbids it, a note asks for a click. */
export function openTab(wanted: Tab): void {
  if (tryToOpen(wanted)) return;
  const { window, surface } = wanted;
  const { element } = createNote(
    window,
    { title: 'Parley has a window to show.', body: 'Open it' },
    { clicked: () => void tryToOpen(wanted), removed: () => {} },
  );
  surface.addNote(element);
}

function tryToOpen({ window, path, name }: Tab): boolean {
  // With no address an open tab stays as it is, and a new one is blank.
  const tab = window.open('', name);
  if (tab === null) return false;
  if (tab.location.pathname !== path) tab.location.replace(new URL(path, window.location.origin));
  tab.focus();
  return true;
}
