import { type ActsState, actsPart, initialActs } from '#shared/capture/actsState.ts';
import { slicesDiff } from '../diff/stateDiff.ts';
import type { ActsChange } from './golden.ts';
import { recordedChanges } from './recordedChanges.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const NAMES = Object.keys(initialActs) as readonly (keyof ActsState)[];

/**
 * Returns a function that adds to a list how the state that follows from actions has changed since the last call. The connection has a list of
 * its own, and the number of unread messages is in the steps.
 */
export function watchActs(list: ActsChange[]): (at: number, acts: ActsState) => void {
  let last: ActsState = initialActs;
  return (at, acts) => {
    // References: this runs for each record.
    if (NAMES.every((name) => last[name] === acts[name])) return;
    const differences = slicesDiff(watchedPart(last), watchedPart(acts));
    last = acts;
    if (differences.length === 0) return;
    list.push({ at, ...recordedChanges(differences) });
  };
}

/** Returns the state without the connection and the number of unread messages. */
function watchedPart(acts: ActsState) {
  const { connection: _connection, attention, ...others } = actsPart(acts);
  const { unread: _unread, ...watched } = attention;
  return { ...others, attention: watched };
}
