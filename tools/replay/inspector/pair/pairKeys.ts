import type { ShownKey } from '../page/parts/ModalDialog.tsx';
import type { Pair } from './createPair.ts';

/** Some keys of the page with one purpose. */
interface PairKeys extends ShownKey {
  /** What each key does, by `KeyboardEvent.key`. */
  readonly moves: Readonly<Record<string, (pair: Pair, showKeys: () => void) => void>>;
}

const LIST: readonly PairKeys[] = [
  {
    shown: '← → ↑ ↓',
    description: 'Previous row, next row',
    moves: {
      ArrowLeft: (pair) => pair.by(-1),
      ArrowRight: (pair) => pair.by(1),
      ArrowUp: (pair) => pair.by(-1),
      ArrowDown: (pair) => pair.by(1),
    },
  },
  {
    shown: 'Page ↑ ↓',
    description: 'Ten rows back, ten rows on',
    moves: { PageUp: (pair) => pair.by(-10), PageDown: (pair) => pair.by(10) },
  },
  { shown: 'Home', description: 'Before the first row', moves: { Home: (pair) => pair.go(0) } },
  { shown: 'End', description: 'Last row', moves: { End: (pair) => pair.by(Infinity) } },
  {
    shown: 'D',
    description: 'First row after which the states differ',
    moves: { d: (pair) => pair.goToDivergence() },
  },
  { shown: '?', description: 'These shortcuts', moves: { '?': (_, showKeys) => showKeys() } },
];

/** The keys that `?` shows, by purpose. */
export const PAIR_KEYS: Readonly<Record<string, readonly ShownKey[]>> = { 'Both sessions': LIST };

const MOVES: PairKeys['moves'] = Object.fromEntries(LIST.flatMap(({ moves }) => Object.entries(moves)));

/** Moves both sessions by a key, or shows the keys, unless a control has used the key. */
export function pairKey(pair: Pair, event: KeyboardEvent, showKeys: () => void): void {
  const move = MOVES[event.key];
  const isShifted = event.shiftKey && event.key !== '?';
  const isModified = event.altKey || event.ctrlKey || event.metaKey || isShifted;
  if (move === undefined || isModified || event.defaultPrevented) return;
  event.preventDefault();
  move(pair, showKeys);
}
