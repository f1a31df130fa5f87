import { useEffect } from 'react';
import type { ShownKey, ShownKeys } from '../parts/ModalDialog.tsx';
import { useInspector } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { chooseCapture } from './Header.tsx';

type Run = (inspector: Inspector, showKeys: () => void) => unknown;

/**
 * A key of the whole page; it has no effect in a text field. `key`: its name in `KeyboardEvent.key`, with the prefix `Shift+` when Shift is
 * pressed. `ALWAYS`: it also works when no session is loaded.
 */
type Shortcut = readonly [...ShownKey, key: string, run: Run, when?: typeof ALWAYS];

const ALWAYS = 'always';

const focus = (id: string) => document.getElementById(id)?.focus();

/** Moves the start or the end of the range to the selected step. */
function bound(side: 'from' | 'to'): Run {
  return ({ store, timeline }) => {
    const { view, range, zoom } = store.get();
    const t = view?.row?.t ?? 0;
    const { from, to } = range ?? zoom;
    timeline.select(side === 'from' ? { from: t, to: Math.max(t, to) } : { from: Math.min(from, t), to: t });
  };
}

/** The keys by purpose. */
const SHORTCUTS: Readonly<Record<string, readonly Shortcut[]>> = {
  Steps: [
    ['←', 'Previous step', 'ArrowLeft', ({ navigate }) => navigate.by(-1)],
    ['→', 'Next step', 'ArrowRight', ({ navigate }) => navigate.by(1)],
    ['Shift ←', 'Ten steps back', 'Shift+ArrowLeft', ({ breakpoints }) => breakpoints.by(-10)],
    ['Shift →', 'Ten steps on', 'Shift+ArrowRight', ({ breakpoints }) => breakpoints.by(10)],
    ['Home', 'Before the first step; in a range, its first step', 'Home', (page) => page.navigate.toFirst()],
    ['End', 'Last step, of the range when there is one', 'End', ({ navigate }) => navigate.toLast()],
    ['E', 'Next error', 'e', ({ search }) => search.goToError('forward')],
    ['Shift E', 'Previous error', 'Shift+E', ({ search }) => search.goToError('backward')],
  ],
  Play: [
    ['Space', 'Play or pause', ' ', ({ play }) => play.toggle('forward')],
    ['Shift Space', 'Play backward, or pause', 'Shift+ ', ({ play }) => play.toggle('backward')],
    ['1', 'At the recorded times', '1', ({ store }) => store.set({ speed: 1 })],
    ['2', 'Ten times as fast', '2', ({ store }) => store.set({ speed: 10 })],
    ['3', 'A hundred times as fast', '3', ({ store }) => store.set({ speed: 100 })],
    ['C', 'Cut pauses, or not', 'c', ({ store }) => store.set({ capsIdle: !store.get().capsIdle })],
    ['F', 'Follow a live session', 'f', ({ store, follow }) => follow(store.get().isLive)],
  ],
  Timeline: [
    ['[', 'Begin the range here', '[', bound('from')],
    [']', 'End the range here', ']', bound('to')],
    ['Esc', 'Clear the range', 'Escape', ({ timeline }) => timeline.clearRange()],
    ['+', 'Zoom in', '+', ({ timeline }) => timeline.scale(0.5)],
    ['−', 'Zoom out', '-', ({ timeline }) => timeline.scale(2)],
    ['0', 'Whole session', '0', ({ timeline }) => timeline.zoom()],
    ['Z', 'Zoom on this step', 'z', ({ timeline }) => timeline.zoomTo()],
  ],
  Find: [
    ['/', 'Filter the steps by text', '/', () => focus('filter-text')],
    ['G', 'Go to, or break when', 'g', () => focus('go-to')],
    ['N', 'Find after', 'n', ({ search }) => search.find('forward')],
    ['Shift N', 'Find before', 'Shift+N', ({ search }) => search.find('backward')],
    ['B', 'Break there: playing stops where it is met', 'b', ({ breakpoints }) => breakpoints.add()],
  ],
  Compare: [
    ['P', 'Pin this step to compare with', 'p', ({ navigate }) => navigate.pin()],
    ['Shift P', 'Compare with the step before', 'Shift+P', ({ navigate }) => navigate.compare('previous')],
  ],
  Page: [
    ['L', 'Copy a link to this step', 'l', ({ copyLink }) => copyLink()],
    ['O', 'Open a capture', 'o', chooseCapture, ALWAYS],
    ['S', 'Save as a capture', 's', ({ whatIf }) => whatIf.save()],
    ['T', 'Light, dark or as the system', 't', ({ changeTheme }) => changeTheme(), ALWAYS],
    ['?', 'These shortcuts', '?', (_, showKeys) => showKeys(), ALWAYS],
  ],
};

/** The keys that `?` shows, by purpose. */
export const SHOWN_KEYS: ShownKeys = {
  ...SHORTCUTS,
  // Each pane handles its keys.
  'Within panes': [
    ['↑ ↓', 'In the list: the steps that match the filters'],
    ['Enter', 'In the list: edits of one field, one by one or as one row'],
    ['↑ ↓ ← →', 'In the state: from entry to entry, unfold and fold'],
    ['Ctrl C', 'In the state: copy the value as JSON'],
    ['W', 'In the state: the steps that changed the value'],
    ['← →', 'On a line between panes: their size'],
  ],
};

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
      const [, , , run, always] = shortcutOf(event) ?? [];
      const isReady = inspector.store.get().phase.kind === 'ready';
      if (run === undefined || !(isReady || always)) return;
      run(inspector, showKeys);
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [inspector, showKeys]);
}

/** Returns the shortcut of a key, unless the key belongs to an element. */
function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  // In the picture of a window, `target` is only its host.
  const [target] = event.composedPath();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // An open dialog handles its keys itself, wherever the focus is.
  if (document.querySelector('dialog[open]') !== null) return undefined;
  const others = event.key === ' ' ? `${WRITTEN}, ${PRESSED}` : WRITTEN;
  if (target instanceof Element && target.closest(others) !== null) return undefined;
  return Object.values(SHORTCUTS)
    .flat()
    .find(([, , key]) => key === nameOf(event));
}
