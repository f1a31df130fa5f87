import { createWindowStore } from '#renderer/store/createWindowStore.ts';

/** A window's store without components. Records when each action has been applied. */

declare global {
  interface Window {
    /** When the state first had a number, milliseconds since 1970. */
    arrivals: Map<number, number>;
    /** Resolves to the time at which the state has a number, milliseconds since 1970. */
    waitForSequence(sequence: number): Promise<number>;
  }
}

const store = createWindowStore(window.parleySync, window.parleyTools);
const now = () => performance.timeOrigin + performance.now();
const waiting = new Map<number, (at: number) => void>();
window.arrivals = new Map();
let applied = 0;

store.subscribe(() => {
  const { sequence } = store.getState();
  if (sequence === applied) return;
  applied = sequence;
  window.arrivals.set(sequence, now());
  for (const [number, resolve] of waiting) {
    if (number > sequence) continue;
    waiting.delete(number);
    resolve(now());
  }
});

window.waitForSequence = (sequence) =>
  new Promise((resolve) => {
    if (store.getState().sequence >= sequence) resolve(now());
    else waiting.set(sequence, resolve);
  });
