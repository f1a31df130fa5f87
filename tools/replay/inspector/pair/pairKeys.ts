import type { Pair } from './createPair.ts';

/** The keys of the page, by `KeyboardEvent.key`. */
const KEYS: Readonly<Record<string, (pair: Pair) => void>> = {
  ArrowLeft: (pair) => pair.by(-1),
  ArrowRight: (pair) => pair.by(1),
  ArrowUp: (pair) => pair.by(-1),
  ArrowDown: (pair) => pair.by(1),
  PageUp: (pair) => pair.by(-10),
  PageDown: (pair) => pair.by(10),
  Home: (pair) => pair.go(0),
  End: (pair) => pair.by(Infinity),
  d: (pair) => pair.goToDivergence(),
};

/** Moves both sessions by a key, unless a control has used it. */
export function pairKey(pair: Pair, event: KeyboardEvent): void {
  const move = KEYS[event.key];
  const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (move === undefined || isModified || event.defaultPrevented) return;
  event.preventDefault();
  move(pair);
}
