import { useEffect } from 'react';
import type { ShownKey } from '../parts/ModalDialog.tsx';
import { useInspector } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { chooseCapture } from './Header.tsx';

type Run = (inspector: Inspector, showKeys: () => void) => unknown;

/**
 * A key of the whole page; it has no effect in a text field. `key`: its name in `KeyboardEvent.key`, with the prefix `Shift+` when Shift is
 * pressed. `ALWAYS`: it also works when no session is loaded.
 */
type Shortcut = readonly [key: string, shown: string, description: string, run: Run, when?: typeof ALWAYS];

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

const zoomBy: (factor: number) => Run =
  (factor) =>
  ({ store, timeline }) => {
    const { view, zoom } = store.get();
    timeline.scale(factor, view?.row?.t ?? zoom.from);
  };

const speed =
  (to: number): Run =>
  ({ store }) =>
    store.set({ speed: to });

/** The keys by purpose. */
const SHORTCUTS: Readonly<Record<string, readonly Shortcut[]>> = {
  Steps: [
    ['ArrowLeft', '←', 'Previous step', ({ navigate }) => navigate.by(-1)],
    ['ArrowRight', '→', 'Next step', ({ navigate }) => navigate.by(1)],
    ['Shift+ArrowLeft', 'Shift ←', 'Ten steps back', ({ breakpoints }) => breakpoints.by(-10)],
    ['Shift+ArrowRight', 'Shift →', 'Ten steps on', ({ breakpoints }) => breakpoints.by(10)],
    ['Home', 'Home', 'Before the first step; in a range, its first step', (page) => page.navigate.toFirst()],
    ['End', 'End', 'Last step, of the range when there is one', ({ navigate }) => navigate.toLast()],
    ['e', 'E', 'Next error', ({ search }) => search.goToError('forward')],
    ['Shift+E', 'Shift E', 'Previous error', ({ search }) => search.goToError('backward')],
  ],
  Play: [
    [' ', 'Space', 'Play or pause', ({ play }) => play.toggle('forward')],
    ['Shift+ ', 'Shift Space', 'Play backward, or pause', ({ play }) => play.toggle('backward')],
    ['1', '1', 'At the recorded times', speed(1)],
    ['2', '2', 'Ten times as fast', speed(10)],
    ['3', '3', 'A hundred times as fast', speed(100)],
    ['c', 'C', 'Cut pauses, or not', ({ store }) => store.set({ capsIdle: !store.get().capsIdle })],
    ['f', 'F', 'Follow a live session', ({ store, follow }) => follow(store.get().isLive)],
  ],
  Timeline: [
    ['[', '[', 'Begin the range here', bound('from')],
    [']', ']', 'End the range here', bound('to')],
    ['Escape', 'Esc', 'Clear the range', ({ timeline }) => timeline.clearRange()],
    ['+', '+', 'Zoom in', zoomBy(0.5)],
    ['-', '−', 'Zoom out', zoomBy(2)],
    ['0', '0', 'Whole session', ({ timeline }) => timeline.zoom()],
    ['z', 'Z', 'Zoom on this step', ({ store, timeline }) => timeline.zoomTo(store.get().view?.row?.t ?? 0)],
  ],
  Find: [
    ['/', '/', 'Filter the steps by text', () => focus('filter-text')],
    ['g', 'G', 'Go to, or break when', () => focus('go-to')],
    ['n', 'N', 'Find after', ({ search }) => search.find('forward')],
    ['Shift+N', 'Shift N', 'Find before', ({ search }) => search.find('backward')],
    ['b', 'B', 'Break there: playing stops where it is met', ({ breakpoints }) => breakpoints.add()],
  ],
  Compare: [
    ['p', 'P', 'Pin this step to compare with', ({ navigate }) => navigate.pin()],
    ['Shift+P', 'Shift P', 'Compare with the step before', ({ navigate }) => navigate.compare('previous')],
  ],
  Page: [
    ['l', 'L', 'Copy a link to this step', ({ copyLink }) => copyLink()],
    ['o', 'O', 'Open a capture', chooseCapture, ALWAYS],
    ['s', 'S', 'Save as a capture', ({ whatIf }) => whatIf.save()],
    ['t', 'T', 'Light, dark or as the system', ({ changeTheme }) => changeTheme(), ALWAYS],
    ['?', '?', 'These shortcuts', (_, showKeys) => showKeys(), ALWAYS],
  ],
};

/** The keys that `?` shows, by purpose. */
export const SHOWN_KEYS: Readonly<Record<string, readonly ShownKey[]>> = {
  ...Object.fromEntries(
    Object.entries(SHORTCUTS).map(([purpose, keys]) => [
      purpose,
      keys.map(([, shown, description]) => ({ shown, description })),
    ]),
  ),
  // Each pane handles its keys.
  'Within panes': [
    { shown: '↑ ↓', description: 'In the list: the steps that match the filters' },
    { shown: 'Enter', description: 'In the list: edits of one field, one by one or as one row' },
    { shown: '↑ ↓ ← →', description: 'In the state: from entry to entry, unfold and fold' },
    { shown: 'Ctrl C', description: 'In the state: copy the value as JSON' },
    { shown: '← →', description: 'On a line between panes: their size' },
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
    .find(([key]) => key === nameOf(event));
}
