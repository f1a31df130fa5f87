import type { DifferingPlace } from '../golden/differingPlace.ts';
import type { Difference } from './captureResult.ts';
import { errorFrame } from '../workers/thrownError.ts';

/** More paths would make a signature long; the first ones identify the cause. */
const PATHS = 6;

const QUEUE_FAULTS: Readonly<Record<NonNullable<Difference['queue']>['fault'], string>> = {
  lost: 'the queue loses an update',
  repeated: 'the queue repeats an update',
  early: 'the queue releases an update before an earlier one',
};

/**
 * Returns the signature of a difference: the update's kind and effect, and the paths that differ, with indices as `*`; or where only the state after
 * the session's end, or the beginning after another session, differs; or the fault of the queue; or
 * the path that the code mutated, or the error that it threw with its innermost frame. Captures with the same cause usually have the same signature. It contains
 * no values.
 */
export function differenceSignature(
  outcome: 'differs' | 'disagrees',
  { update, state, end, ended = [], beginning, thrown, mutated, queue }: Difference,
): string {
  if (queue !== undefined) return `${outcome}: ${QUEUE_FAULTS[queue.fault]}`;
  if (beginning !== undefined)
    return `${outcome}: the beginning after another session: ${pathsOf(beginning)}`;
  if (state.length + end.length === 0 && ended.length > 0)
    return `${outcome}: after the session's end: ${pathsOf(ended)}`;
  const about = update === undefined ? 'the end' : `${update.kind}, ${update.effect}`;
  if (mutated !== undefined)
    return `${outcome}: ${about}: mutates ${withoutIndices(mutated.path) || 'an object outside the state'}`;
  if (thrown !== undefined)
    return `${outcome}: ${about}: ${thrown.isOfBase === true ? 'the other revision: ' : ''}${withoutIndices(errorFrame(thrown))}`;
  return `${outcome}: ${about}: ${pathsOf(state.length > 0 ? state : end)}`;
}

function pathsOf(places: readonly DifferingPlace[]): string {
  const paths = [...new Set(places.map(({ path }) => withoutIndices(path)))].sort();
  const more = paths.length - PATHS;
  return [...paths.slice(0, PATHS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Replaces indices, and removes the times at the ends of the paths of windows. */
const withoutIndices = (path: string): string =>
  path.replace(/\[(?:\d+|"\d+")\]/g, '[*]').replace(/ at [\d.]+ ms$/, '');

/** Returns the signature of a problem: the outcome and the text without the file's name, with numbers as `*`. */
export function problemSignature(
  outcome: 'stopped' | 'unusable',
  { capture, problem }: { readonly capture: string; readonly problem: string },
): string {
  const place = problem.startsWith(capture) ? problem.slice(capture.length) : problem;
  const text = place.replace(/^(?:.*?(?:\.jsonl|\.gz|\.har|\.json))?(?::\d+)?: /s, '');
  return `${outcome}: ${text.replace(/\d+(?:\.\d+)?/g, '*')}`;
}
