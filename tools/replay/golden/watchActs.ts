import { type ActsState, actsPart, initialActs } from '#shared/capture/actsState.ts';
import type { WindowsState } from '#shared/window/windows.ts';
import { itemPath } from '../diff/statePath.ts';
import { type Change, compareValues, valueDiff } from '../diff/valueDiff.ts';
import type { ActsChange } from './golden.ts';
import { recordedChanges } from './recordedChanges.ts';

/**
 * Returns a function that adds to a list how the state that follows from actions has changed since the last call. The connection has a list of
 * its own, and the number of unread messages is in the steps.
 */
export function watchActs(list: ActsChange[]): (at: number, acts: ActsState) => void {
  let last: ActsState = initialActs;
  return (at, acts) => {
    if (isSame(last, acts)) return;
    const differences = [
      ...valueDiff(othersOf(last), othersOf(acts)),
      ...windowsDiff(last.windows, acts.windows),
    ];
    // A copy: the fold changes its state.
    last = actsPart(acts);
    if (differences.length === 0) return;
    list.push({ at, ...recordedChanges(differences) });
  };
}

/** Compares references: this runs for each record. */
const isSame = (a: ActsState, b: ActsState): boolean =>
  a.wasConnected === b.wasConnected &&
  a.backlog === b.backlog &&
  a.audio === b.audio &&
  a.preferences === b.preferences &&
  a.attention.isWatched === b.attention.isWatched &&
  a.windows === b.windows;

const othersOf = ({ wasConnected, backlog, audio, preferences, attention }: ActsState) => ({
  wasConnected,
  backlog,
  audio,
  preferences,
  attention: { isWatched: attention.isWatched },
});

function windowsDiff(before: WindowsState, after: WindowsState): Change[] {
  const into: Change[] = [];
  const numbers = new Set([...Object.keys(before), ...Object.keys(after)].map(Number));
  for (const number of numbers) {
    const path = itemPath('windows', number);
    compareValues({ path, before: before[number], after: after[number], into });
  }
  return into;
}
