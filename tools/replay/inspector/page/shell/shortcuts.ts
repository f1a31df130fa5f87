import { useEffect } from 'react';
import type { ShownKey } from '../parts/ModalDialog.tsx';
import { useInspector } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { NEXT_THEME } from '../session/theme.ts';
import { chooseCapture } from './Header.tsx';

/** A key of the whole page; it has no effect in a text field. */
interface Shortcut extends ShownKey {
  /** The name in `KeyboardEvent.key`, with the prefix `Shift+` when Shift is pressed. */
  readonly key: string;
  /** Whether it also works when no session is loaded. */
  readonly always?: true;
  readonly run: (inspector: Inspector, showKeys: () => void) => void;
}

const focus = (id: string) => document.getElementById(id)?.focus();

/** Moves the start or the end of the range to the selected step. */
function bound(side: 'from' | 'to'): Shortcut['run'] {
  return ({ store, timeline, fail }) => {
    const { view, range, zoom } = store.get();
    const t = view?.row?.t ?? 0;
    const { from, to } = range ?? zoom;
    const wanted = side === 'from' ? { from: t, to: Math.max(t, to) } : { from: Math.min(from, t), to: t };
    timeline.select(wanted).catch(fail);
  };
}

const zoomBy: (factor: number) => Shortcut['run'] =
  (factor) =>
  ({ store, timeline }) => {
    const { view, zoom } = store.get();
    timeline.scale(factor, view?.row?.t ?? zoom.from);
  };

const speed =
  (to: number): Shortcut['run'] =>
  ({ store }) =>
    store.set({ speed: to });

/** The keys by purpose. */
const SHORTCUTS: Readonly<Record<string, readonly Shortcut[]>> = {
  Steps: [
    { key: 'ArrowLeft', shown: '←', description: 'Previous step', run: ({ navigate }) => navigate.by(-1) },
    { key: 'ArrowRight', shown: '→', description: 'Next step', run: ({ navigate }) => navigate.by(1) },
    {
      key: 'Shift+ArrowLeft',
      shown: 'Shift ←',
      description: 'Ten steps back',
      run: ({ breakpoints }) => void breakpoints.by(-10),
    },
    {
      key: 'Shift+ArrowRight',
      shown: 'Shift →',
      description: 'Ten steps on',
      run: ({ breakpoints }) => void breakpoints.by(10),
    },
    {
      key: 'Home',
      shown: 'Home',
      description: 'Before the first step; in a range, its first step',
      run: ({ navigate }) => navigate.toFirst(),
    },
    {
      key: 'End',
      shown: 'End',
      description: 'Last step, of the range when there is one',
      run: ({ navigate }) => navigate.toLast(),
    },
    { key: 'e', shown: 'E', description: 'Next error', run: ({ goToError }) => goToError('forward') },
    {
      key: 'Shift+E',
      shown: 'Shift E',
      description: 'Previous error',
      run: ({ goToError }) => goToError('backward'),
    },
  ],
  Play: [
    { key: ' ', shown: 'Space', description: 'Play or pause', run: ({ play }) => play.toggle('forward') },
    {
      key: 'Shift+ ',
      shown: 'Shift Space',
      description: 'Play backward, or pause',
      run: ({ play }) => play.toggle('backward'),
    },
    { key: '1', shown: '1', description: 'At the recorded times', run: speed(1) },
    { key: '2', shown: '2', description: 'Ten times as fast', run: speed(10) },
    { key: '3', shown: '3', description: 'A hundred times as fast', run: speed(100) },
    {
      key: 'c',
      shown: 'C',
      description: 'Cut pauses, or not',
      run: ({ store }) => store.set({ capsIdle: !store.get().capsIdle }),
    },
    {
      key: 'f',
      shown: 'F',
      description: 'Follow a live session',
      run: ({ store, follow }) => follow(store.get().isLive),
    },
  ],
  Timeline: [
    { key: '[', shown: '[', description: 'Begin the range here', run: bound('from') },
    { key: ']', shown: ']', description: 'End the range here', run: bound('to') },
    {
      key: 'Escape',
      shown: 'Esc',
      description: 'Clear the range',
      run: ({ store, timeline, fail }) => {
        if (store.get().range) timeline.select(undefined).catch(fail);
      },
    },
    { key: '+', shown: '+', description: 'Zoom in', run: zoomBy(0.5) },
    { key: '-', shown: '−', description: 'Zoom out', run: zoomBy(2) },
    { key: '0', shown: '0', description: 'Whole session', run: ({ timeline }) => timeline.zoom() },
    {
      key: 'z',
      shown: 'Z',
      description: 'Zoom on this step',
      run: ({ store, timeline }) => timeline.zoomTo(store.get().view?.row?.t ?? 0),
    },
  ],
  Find: [
    { key: '/', shown: '/', description: 'Filter the steps by text', run: () => focus('filter-text') },
    { key: 'g', shown: 'G', description: 'Go to, or break when', run: () => focus('go-to') },
    { key: 'n', shown: 'N', description: 'Find after', run: ({ search }) => void search.find('forward') },
    {
      key: 'Shift+N',
      shown: 'Shift N',
      description: 'Find before',
      run: ({ search }) => void search.find('backward'),
    },
    {
      key: 'b',
      shown: 'B',
      description: 'Break there: playing stops where it is met',
      run: ({ breakpoints }) => void breakpoints.add(),
    },
  ],
  Compare: [
    {
      key: 'p',
      shown: 'P',
      description: 'Pin this step to compare with',
      run: ({ navigate }) => navigate.pin(),
    },
    {
      key: 'Shift+P',
      shown: 'Shift P',
      description: 'Compare with the step before',
      run: ({ navigate }) => navigate.compare('previous'),
    },
  ],
  Page: [
    { key: 'l', shown: 'L', description: 'Copy a link to this step', run: ({ copyLink }) => void copyLink() },
    { key: 'o', shown: 'O', description: 'Open a capture', always: true, run: chooseCapture },
    { key: 's', shown: 'S', description: 'Save as a capture', run: ({ whatIf }) => void whatIf.save() },
    {
      key: 't',
      shown: 'T',
      description: 'Light, dark or as the system',
      always: true,
      run: ({ store }) => store.set({ theme: NEXT_THEME[store.get().theme] }),
    },
    { key: '?', shown: '?', description: 'These shortcuts', always: true, run: (_, showKeys) => showKeys() },
  ],
};

/** The keys of single panes, which handle them. */
const IN_PANES: readonly ShownKey[] = [
  { shown: '↑ ↓', description: 'In the list: the steps that match the filters' },
  { shown: '↑ ↓ ← →', description: 'In the state: from entry to entry, unfold and fold' },
  { shown: 'Ctrl C', description: 'In the state: copy the value as JSON' },
  { shown: '← →', description: 'On a line between panes: their size' },
];

/** The keys that `?` shows, by purpose. */
export const SHOWN_KEYS: Readonly<Record<string, readonly ShownKey[]>> = {
  ...SHORTCUTS,
  'Within panes': IN_PANES,
};

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
