import { actsDifferences, applyChanges, connectionChanges, timeOfPlace, withoutAbsent } from './changes.ts';
import type { Golden, GoldenStep } from './golden.ts';
import { isSameJson, valueAt, valueDiff } from '../diff/valueDiff.ts';
import { FoldError, type RecordedGolden } from './traceCapture.ts';

/** Returns the replay's state before an update. */
type StateBefore = (index: number) => Promise<object>;

/**
 * Compares a replay with a golden, or with the replay of another revision; resolves to how they differ, as results contain it, and to `undefined` when
 * they are the same. When the code of one of them threw, they differ.
 */
export async function compareWithGolden(
  expected: Golden | FoldError,
  got: RecordedGolden | FoldError,
  stateBefore: StateBefore,
) {
  const { steps } = got instanceof FoldError ? got : got.golden;
  const first = await firstDifference(expected.steps, steps, stateBefore);
  if (expected instanceof FoldError || got instanceof FoldError) {
    const thrown = { path: 'error', expected: messageOf(expected), got: messageOf(got) };
    return { ...first, end: [withoutAbsent(thrown)] };
  }
  const end = endDifferences(expected, got.golden);
  const ended = differencesOf(expected.ended ?? {}, got.golden.ended ?? {});
  const { golden, beginning = [] } = got;
  if (first.update === undefined && end.length + ended.length + beginning.length === 0)
    return isSameJson(expected, golden) ? undefined : { ...first, end: differencesOf(expected, golden) };
  const times = first.update === undefined ? end.flatMap(({ path }) => timeOfPlace(path) ?? []) : [];
  return {
    ...first,
    ...(times.length > 0 && { at: Math.min(...times) }),
    end,
    ...(ended.length > 0 && { ended }),
    ...(beginning.length > 0 && { beginning }),
  };
}

const messageOf = (replay: object) => (replay instanceof FoldError ? replay.message : undefined);

type Steps = readonly GoldenStep[];

/** Finds the first update that differs, or that one side does not have. It is one of the replay, or of the golden when the replay has fewer updates. */
async function firstDifference(expected: Steps, got: Steps, stateBefore: StateBefore) {
  // In order: a number of the replay follows from its counts, which may be what differs.
  for (let index = 0; index < Math.max(expected.length, got.length); index++) {
    const [wanted, found] = [expected[index], got[index]];
    const shown = found ?? wanted;
    if (shown === undefined || (wanted && found && isSameStep(wanted, found))) continue;
    const { kind, effect, tick } = shown;
    const state =
      wanted && found
        ? stepDifferences(await stateBefore(index), wanted, found)
        : [withoutAbsent({ path: 'update', expected: effectOf(wanted), got: effectOf(found) })];
    return { update: { number: found === undefined ? shown.number : index + 1, kind, effect, tick }, state };
  }
  return { state: [] };
}

const effectOf = (step: GoldenStep | undefined) => step && `${step.kind}, ${step.effect}`;

/** Returns whether two updates of goldens are the same. Compares the cheap fields first. */
const isSameStep = (a: GoldenStep, b: GoldenStep): boolean =>
  a.tick === b.tick && a.effect === b.effect && a.kind === b.kind && isSameJson(a, b);

/**
 * All earlier updates were the same, so the state before is the same on both sides. The expected state is that state with
 * the golden's changes; the old code is not needed.
 */
function stepDifferences(before: object, expected: GoldenStep, got: GoldenStep) {
  const after = ({ tick, kind, effect, notification, ...changes }: GoldenStep): object => ({
    update: { kind, effect, tick },
    ...(notification && { notification }),
    ...applyChanges(before, changes),
  });
  return differencesOf(after(expected), after(got), before);
}

function endDifferences(expected: Golden, got: Golden) {
  const found = [
    ...actsDifferences(connectionChanges(expected.connection), connectionChanges(got.connection)),
    ...actsDifferences(expected.acts, got.acts),
    ...differencesOf(numbersOf(expected), numbersOf(got)),
  ];
  if (found.length > 0 || expected.hash === got.hash) return found;
  return [withoutAbsent({ path: 'hash', expected: expected.hash, got: got.hash })];
}

/** The fields of a golden with a comparison of their own. */
const COMPARED = new Set('format version steps hash ended acts connection rejected'.split(' '));

/** Returns the other fields of a golden. Rejected frames are by number, so that an additional one is one line. */
function numbersOf(golden: Golden): object {
  const frames = golden.rejected.map(({ frame, reason, where }) => [
    `${frame}`,
    where === undefined ? reason : `${reason} at ${where}`,
  ]);
  const others = Object.entries(golden).filter(([name]) => !COMPARED.has(name));
  return { rejectedFrames: Object.fromEntries(frames), ...Object.fromEntries(others) };
}

/** Returns where two values differ, with the values before if they are known. */
const differencesOf = (wanted: object, found: object, before: object = {}) =>
  valueDiff(wanted, found)
    .filter(({ before: a, after: b }) => a === undefined || b === undefined || !isSameJson(a, b))
    .map(({ path, before: expected, after: got }) =>
      withoutAbsent({ path, before: valueAt(before, path), expected, got }),
    );
