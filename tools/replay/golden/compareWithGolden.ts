import {
  type DifferingPlace,
  actsDifferences,
  applyChanges,
  connectionChanges,
  timeOfPlace,
} from './changes.ts';
import type { Golden, GoldenStep } from './golden.ts';
import { type Change, isSameJson, valueAt, valueDiff } from '../diff/valueDiff.ts';
import { FoldError, type RecordedGolden } from './traceCapture.ts';

/** The first update at which a replay differs. */
interface DivergedUpdate {
  readonly number: number;
  /** Those of the replay; those of the golden when the replay has fewer updates. */
  readonly kind: string;
  readonly effect: string;
  /** Its tick, milliseconds since the launch. */
  readonly tick: number;
}

/** How a replay differs from its golden. */
export interface Divergence {
  /** The first update that differs; missing when only the end differs. */
  readonly update?: DivergedUpdate;
  /** When only the end differs: the first time at which it does, milliseconds since the start of the recording, if that is known. */
  readonly at?: number;
  /** The differences of the state after that update. */
  readonly state: readonly DifferingPlace[];
  /** The differences at the end: rejected frames, counts, the connection. */
  readonly end: readonly DifferingPlace[];
  /** The differences of the state after the end of the session; missing when there are none. */
  readonly ended?: readonly DifferingPlace[];
  /** How the state in which the capture before ended differs from the beginning of this one; missing when there are none. */
  readonly beginning?: readonly DifferingPlace[];
}

/** The first update that differs, with its differences. */
type FirstStep = Required<Pick<Divergence, 'update' | 'state'>>;

/**
 * Compares a replay with a golden, or with the replay of another revision; resolves to `undefined` when they are the same. When the code of one of them
 * threw, they differ.
 * @param stateBefore returns the replay's state before an update.
 */
export async function compareWithGolden(
  expected: Golden | FoldError,
  got: RecordedGolden | FoldError,
  stateBefore: (index: number) => Promise<object>,
): Promise<Divergence | undefined> {
  const { steps } = got instanceof FoldError ? got : got.golden;
  const first = await firstDifference(expected.steps, steps, stateBefore);
  if (expected instanceof FoldError || got instanceof FoldError) {
    const thrown = {
      path: 'error',
      ...(expected instanceof FoldError && { expected: expected.message }),
      ...(got instanceof FoldError && { got: got.message }),
    };
    return { ...(first ?? { state: [] }), end: [thrown] };
  }
  const end = endDifferences(expected, got.golden);
  const ended = differencesOf(expected.ended ?? {}, got.golden.ended ?? {});
  const { golden, beginning = [] } = got;
  if (first === undefined && end.length + ended.length + beginning.length === 0)
    return isSameJson(expected, golden) ? undefined : { state: [], end: differencesOf(expected, golden) };
  const at = first === undefined ? firstTime(end) : undefined;
  return {
    ...first,
    ...(at !== undefined && { at }),
    state: first?.state ?? [],
    end,
    ...(ended.length > 0 && { ended }),
    ...(beginning.length > 0 && { beginning }),
  };
}

/** Returns the first time of places with a time. */
function firstTime(places: readonly DifferingPlace[]): number | undefined {
  const times = places.flatMap(({ path }) => timeOfPlace(path) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Finds the first update that differs, or that one side does not have. */
async function firstDifference(
  expected: readonly GoldenStep[],
  got: readonly GoldenStep[],
  stateBefore: (index: number) => Promise<object>,
): Promise<FirstStep | undefined> {
  // In order: a number of the replay follows from its counts, which may be what differs.
  for (let index = 0; index < Math.max(expected.length, got.length); index++) {
    const [wanted, found] = [expected[index], got[index]];
    if (wanted !== undefined && found !== undefined) {
      if (isSameStep(wanted, found)) continue;
      const state = stepDifferences(await stateBefore(index), wanted, found);
      return { update: updateOf(found, index + 1), state };
    }
    if (found !== undefined)
      return {
        update: updateOf(found, index + 1),
        state: [{ path: 'update', got: describeEffect(found) }],
      };
    if (wanted !== undefined)
      return { update: updateOf(wanted), state: [{ path: 'update', expected: describeEffect(wanted) }] };
  }
  return undefined;
}

const updateOf = ({ number, kind, effect, tick }: GoldenStep, counted = number): DivergedUpdate => ({
  number: counted,
  kind,
  effect,
  tick,
});

const describeEffect = ({ kind, effect }: GoldenStep): string => `${kind}, ${effect}`;

/** Returns whether two updates of goldens are the same. Compares the cheap fields first. */
export const isSameStep = (a: GoldenStep, b: GoldenStep): boolean =>
  a.tick === b.tick && a.effect === b.effect && a.kind === b.kind && isSameJson(a, b);

/**
 * All earlier updates were the same, so the state before is the same on both sides. The expected state is that state with
 * the golden's changes; the old code is not needed.
 */
function stepDifferences(before: object, expected: GoldenStep, got: GoldenStep): DifferingPlace[] {
  const after = ({ tick, kind, effect, notification, ...changes }: GoldenStep): object => ({
    update: { kind, effect, tick },
    ...(notification && { notification }),
    ...applyChanges(before, changes),
  });
  return differencesOf(after(expected), after(got), before);
}

function endDifferences(expected: Golden, got: Golden): DifferingPlace[] {
  const found = [
    ...actsDifferences(connectionChanges(expected.connection), connectionChanges(got.connection)),
    ...actsDifferences(expected.acts, got.acts),
    ...differencesOf(numbersOf(expected), numbersOf(got)),
  ];
  if (found.length > 0 || expected.hash === got.hash) return found;
  return [{ path: 'hash', expected: expected.hash, got: got.hash }];
}

/** Returns the fields of a golden without a comparison of their own. Rejected frames are by number, so that an additional one is one line. */
function numbersOf({ rejected, ...golden }: Golden): object {
  const {
    format: _format,
    version: _version,
    steps: _steps,
    hash: _hash,
    ended: _ended,
    acts: _acts,
    connection: _connection,
    ...rest
  } = golden;
  const frames = rejected.map(({ frame, reason, where }) => [
    `${frame}`,
    where === undefined ? reason : `${reason} at ${where}`,
  ]);
  return { rejectedFrames: Object.fromEntries(frames), ...rest };
}

/** Returns where two values differ, with the values before if they are known. */
const differencesOf = (wanted: object, found: object, before: object = {}): DifferingPlace[] =>
  valueDiff(wanted, found)
    .filter((change) => isOneAbsent(change) || !isSameJson(change.before ?? null, change.after ?? null))
    .map(({ path, before: expected, after: got }) =>
      withoutAbsent({ path, before: valueAt(before, path), expected, got }),
    );

const isOneAbsent = ({ before, after }: Change): boolean => (before === undefined) !== (after === undefined);

/** Removes fields that are `undefined`. */
const withoutAbsent = ({ path, ...values }: DifferingPlace): DifferingPlace => ({
  path,
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
});
