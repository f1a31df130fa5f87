import { isSameJson, valueDiff } from '../diff/valueDiff.ts';
import { type Golden, GoldenError } from '../golden/golden.ts';
import { SURROUNDINGS, withSurroundings } from '../golden/surroundings.ts';
import { FoldError, type RecordedGolden, orThrown } from '../golden/traceCapture.ts';

/**
 * Records a new golden twice, with different clocks and random numbers.
 * @throws {GoldenError} when the goldens differ: a golden of such a reducer would not match its own replay. The message has the first path that
 * differs.
 * @throws {FoldError} when the replayed code throws in both replays.
 */
export async function recordTwice<R extends RecordedGolden>(
  capture: string,
  record: () => Promise<R>,
): Promise<R> {
  const first = await withSurroundings(SURROUNDINGS[0], () => orThrown(record()));
  const second = await withSurroundings(SURROUNDINGS[1], () => orThrown(record()));
  if (first instanceof FoldError && second instanceof FoldError) throw first;
  if (first instanceof FoldError || second instanceof FoldError)
    throw problem(capture, 'an error that only one of them throws');
  const place = differingPlace(first.golden, second.golden);
  if (place !== undefined) throw problem(capture, place);
  return first;
}

const problem = (capture: string, place: string): GoldenError =>
  new GoldenError(
    `${capture}: the reducer is not deterministic: two replays differ in ${place}; it may read no clock and no random numbers`,
  );

/** Returns the first place where two goldens of the same capture differ, in words. */
function differingPlace(a: Golden, b: Golden): string | undefined {
  if (isSameJson(a, b)) return undefined;
  for (const [i, step] of a.steps.entries()) {
    const path = changedPath(step, b.steps[i]);
    if (path !== undefined) return `${path} after update ${i + 1}`;
  }
  for (const [i, change] of a.acts.entries()) {
    const path = changedPath(change, b.acts[i]);
    if (path !== undefined) return `${path} at ${change.at} ms`;
  }
  return valueDiff(a, b)[0]?.path;
}

type Changes = Pick<Golden['acts'][number], 'changes' | 'removed'>;

/** Returns the first path of the state whose changes differ; the place in the golden when it is not in the state. */
function changedPath(a: Changes, b: Changes | undefined): string | undefined {
  if (isSameJson(a, b ?? null)) return undefined;
  const [left, right] = [a.changes, b?.changes ?? {}];
  for (const path of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [change] = valueDiff(left[path], right[path], path);
    if (change !== undefined) return change.path;
  }
  return valueDiff(a, b)[0]?.path;
}
