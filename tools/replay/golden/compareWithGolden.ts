import {
  type DifferingPlace,
  actsDifferences,
  applyChanges,
  connectionChanges,
  timeOfPlace,
} from './changes.ts';
import type { Golden, GoldenStep } from './golden.ts';
import { isSameJson, valueAt, valueDiff } from '../diff/valueDiff.ts';
import type { DescribedStep, OnStep, TraceEnd } from './traceCapture.ts';

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

/** A comparison of a replay with a golden. */
export interface Comparison {
  /** Takes each update in order. */
  readonly onStep: OnStep;
  /** Returns the divergence from the whole golden, or `undefined` when there is none. */
  finish(golden: Golden, trace: TraceEnd): Divergence | undefined;
  /** Returns the divergence when the code of one side or of both threw: it is at the update after the last step. */
  threw(messages: Pick<DifferingPlace, 'expected' | 'got'>): Divergence;
}

/** Begins a comparison with the updates of a golden. */
export function compareWithGolden(golden: Pick<Golden, 'steps'>): Comparison {
  let first: FirstStep | undefined;
  let steps = 0;
  return {
    onStep(described) {
      // In order: a number of the replay follows from its counts, which may be what differs.
      const expected = golden.steps[steps++];
      if (first !== undefined) return;
      const got = described.golden();
      if (!(expected && isSameStep(expected, got))) {
        const update = { ...updateOf(got), number: steps };
        first = { update, state: stepDifferences({ expected, got, described }) };
      }
    },
    finish(whole, trace) {
      first ??= missingStep(golden.steps[steps]);
      const end = endDifferences(whole, trace);
      const ended = endedDifferences(whole, trace);
      const { beginning = [] } = trace;
      if (first === undefined && end.length + ended.length + beginning.length === 0) return undefined;
      const at = first === undefined ? firstTime(end) : undefined;
      return {
        ...first,
        ...(at !== undefined && { at }),
        state: first?.state ?? [],
        end,
        ...(ended.length > 0 && { ended }),
        ...(beginning.length > 0 && { beginning }),
      };
    },
    threw(messages) {
      first ??= missingStep(golden.steps[steps]);
      const thrown = { path: 'error', ...messages };
      return first === undefined ? { state: [], end: [thrown] } : { ...first, end: [thrown] };
    },
  };
}

/** Returns the first time of places with a time. */
function firstTime(places: readonly DifferingPlace[]): number | undefined {
  const times = places.flatMap(({ path }) => timeOfPlace(path) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

const updateOf = ({ number, kind, effect, tick }: GoldenStep): DivergedUpdate => ({
  number,
  kind,
  effect,
  tick,
});

/** Returns whether two updates of goldens are the same. Compares the cheap fields first. */
export const isSameStep = (a: GoldenStep, b: GoldenStep): boolean =>
  a.tick === b.tick && a.effect === b.effect && a.kind === b.kind && isSameJson(a, b);

interface StepPair {
  readonly expected: GoldenStep | undefined;
  readonly got: GoldenStep;
  readonly described: DescribedStep;
}

/**
 * All earlier updates were the same, so the state before is the same on both sides. The expected state is that state with
 * the golden's changes; the old code is not needed.
 */
function stepDifferences({ expected, got, described }: StepPair): DifferingPlace[] {
  if (expected === undefined) return [{ path: 'update', got: describeEffect(got) }];
  const before = described.stateBefore();
  const wanted = { ...aboutOf(expected), ...applyChanges(before, expected) };
  const found = { ...aboutOf(got), ...applyChanges(before, got) };
  return differencesOf({ before, wanted, found });
}

/** Describes an update of the golden that the replay does not have. */
function missingStep(expected: GoldenStep | undefined): FirstStep | undefined {
  if (expected === undefined) return undefined;
  return { update: updateOf(expected), state: [{ path: 'update', expected: describeEffect(expected) }] };
}

const describeEffect = ({ kind, effect }: GoldenStep): string => `${kind}, ${effect}`;

/** Returns the parts of a golden's update other than the state. */
const aboutOf = ({ tick, kind, effect, notification }: GoldenStep) => ({
  update: { kind, effect, tick },
  ...(notification && { notification }),
});

function endDifferences(golden: Golden, { connection, acts, rejected, end }: TraceEnd): DifferingPlace[] {
  const {
    format: _format,
    version: _version,
    steps: _steps,
    hash: _hash,
    ended: _ended,
    acts: actsBefore,
    connection: connectionBefore,
    ...expected
  } = golden;
  const { hash, ...rest } = end;
  const others = differencesOf({
    before: {},
    wanted: byFrame(expected),
    found: byFrame({ ...rest, rejected }),
  });
  const found = [
    ...actsDifferences(connectionChanges(connectionBefore), connectionChanges(connection)),
    ...actsDifferences(actsBefore, acts),
    ...others,
  ];
  if (found.length > 0 || hash === golden.hash) return found;
  return [{ path: 'hash', expected: golden.hash, got: hash }];
}

const endedDifferences = (
  { ended: wanted = {} }: Golden,
  { ended: found = {} }: TraceEnd,
): DifferingPlace[] => differencesOf({ before: {}, wanted, found });

/** Indexes rejected frames by their number, so that an additional one is one line. */
const byFrame = ({ rejected, ...rest }: Pick<Golden, 'rejected'>): object => ({
  rejectedFrames: Object.fromEntries(
    rejected.map(({ frame, reason, where }) => [
      `${frame}`,
      where === undefined ? reason : `${reason} at ${where}`,
    ]),
  ),
  ...rest,
});

interface Sides {
  readonly before: object;
  readonly wanted: object;
  readonly found: object;
}

function differencesOf({ before, wanted, found }: Sides): DifferingPlace[] {
  return valueDiff(wanted, found)
    .filter((change) => !isSameJson(change.before ?? null, change.after ?? null) || isOneAbsent(change))
    .map(({ path, before: expected, after: got }) =>
      withoutAbsent({ path, before: valueAt(before, path), expected, got }),
    );
}

const isOneAbsent = ({ before, after }: { before: unknown; after: unknown }): boolean =>
  (before === undefined) !== (after === undefined);

/** Removes fields that are `undefined`. */
function withoutAbsent({ path, ...values }: DifferingPlace): DifferingPlace {
  return { path, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}
