import { toSnapshot } from '#shared/conversation/conversation.ts';
import { applyChanges } from './applyChanges.ts';
import type { Golden, GoldenStep } from './golden.ts';
import { goldenValue } from './goldenValue.ts';
import type { Step } from '../engine/replay.ts';
import { isSameJson } from '../diff/isSameJson.ts';
import { valueAt } from '../diff/statePath.ts';
import type { TraceEnd } from './traceCapture.ts';
import { valueDiff } from '../diff/valueDiff.ts';

/** One place where a replay is not what was expected; what is absent stands nowhere. */
export interface Divergence {
  readonly path: string;
  readonly before?: unknown;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** The update at which a replay first came to something else. */
export interface DivergedUpdate {
  readonly number: number;
  /** As it was replayed; as it was expected, where there was none any more. */
  readonly kind: string;
  readonly effect: string;
  /** Its tick, milliseconds since the launch. */
  readonly tick: number;
}

/** How a replay differs from its golden. */
export interface Difference {
  /** The first update that differs, or nothing when all are alike and only what follows differs. */
  readonly update?: DivergedUpdate;
  /** What the state is after that update. */
  readonly state: readonly Divergence[];
  /** What else differs when all is over: rejected frames, counts, the connection. */
  readonly end: readonly Divergence[];
}

/** The first update that differs, and how. */
type FirstStep = Required<Pick<Difference, 'update' | 'state'>>;

/** Holds a replay against a golden. */
export interface Comparison {
  /** Takes each update in order. */
  onStep(got: GoldenStep, step: Step): void;
  /** @returns how they differ, or `undefined` when they do not. */
  finish(trace: TraceEnd): Difference | undefined;
  /** The code threw: it is at the update after the last that came. */
  threw(message: string): Difference;
}

export function compareWithGolden(golden: Golden): Comparison {
  let first: FirstStep | undefined;
  let steps = 0;
  return {
    onStep(got, step) {
      steps++;
      const expected = golden.steps[got.number - 1];
      if (first === undefined && !(expected && sameStep(expected, got))) {
        first = { update: updateOf(got), state: stepDivergence({ expected, got, step }) };
      }
    },
    finish(trace) {
      first ??= missingStep(golden.steps[steps]);
      const end = endDivergence(golden, trace);
      if (first === undefined && end.length === 0) return undefined;
      return { ...first, state: first?.state ?? [], end };
    },
    threw(message) {
      first ??= missingStep(golden.steps[steps]);
      const thrown = { path: 'error', got: message };
      return first === undefined ? { state: [], end: [thrown] } : { ...first, end: [thrown] };
    },
  };
}

const updateOf = ({ number, kind, effect, tick }: GoldenStep): DivergedUpdate => ({
  number,
  kind,
  effect,
  tick,
});

/** Field by field, the cheap ones first. */
const sameStep = (a: GoldenStep, b: GoldenStep): boolean =>
  a.kind === b.kind &&
  a.effect === b.effect &&
  a.tick === b.tick &&
  a.number === b.number &&
  isSameJson(a.changes, b.changes) &&
  isSameJson(a.removed ?? [], b.removed ?? []) &&
  isSameJson(a.notification ?? null, b.notification ?? null);

interface Steps {
  readonly expected: GoldenStep | undefined;
  readonly got: GoldenStep;
  readonly step: Step;
}

/**
 * The state before is the same on both sides, for all updates before were alike: so the expected state is that one with
 * the golden's changes, and no old code is needed.
 */
function stepDivergence({ expected, got, step }: Steps): Divergence[] {
  if (expected === undefined) return [{ path: 'update', got: wordsOf(got) }];
  const before = { ...plain(step.before) };
  const wanted = { ...aboutOf(expected), ...applyChanges(before, expected) };
  const found = { ...aboutOf(got), ...plain(step.after) };
  return divergenceOf({ before, wanted, found });
}

/** The golden has one more. */
function missingStep(expected: GoldenStep | undefined): FirstStep | undefined {
  if (expected === undefined) return undefined;
  return { update: updateOf(expected), state: [{ path: 'update', expected: wordsOf(expected) }] };
}

const wordsOf = ({ kind, effect }: GoldenStep): string => `${kind}, ${effect}`;

/** What a golden says of an update besides the state. */
const aboutOf = ({ tick, kind, effect, notification }: GoldenStep) => ({
  update: { kind, effect, tick },
  ...(notification && { notification }),
});

/** A conversation as a golden would hold it. */
function plain(conversation: Step['before']): object {
  const { person, messages } = toSnapshot(conversation);
  return { person: goldenValue(person), messages: goldenValue(messages) };
}

function endDivergence(golden: Golden, { rejected, end }: TraceEnd): Divergence[] {
  const { format: _format, version: _version, steps: _steps, hash: _hash, ...expected } = golden;
  const { hash, ...rest } = end;
  const found = divergenceOf({
    before: {},
    wanted: byFrame(expected),
    found: byFrame({ ...rest, rejected }),
  });
  if (found.length > 0 || hash === golden.hash) return found;
  return [{ path: 'hash', expected: golden.hash, got: hash }];
}

/** Rejected frames by their number, so that one more is one line. */
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

function divergenceOf({ before, wanted, found }: Sides): Divergence[] {
  return valueDiff(wanted, found)
    .filter((change) => !isSameJson(change.before ?? null, change.after ?? null) || isOneAbsent(change))
    .map(({ path, before: expected, after: got }) =>
      withoutAbsent({ path, before: valueAt(before, path), expected, got }),
    );
}

const isOneAbsent = ({ before, after }: { before: unknown; after: unknown }): boolean =>
  (before === undefined) !== (after === undefined);

/** Fields that are there: what is absent is not a value of JSON. */
function withoutAbsent({ path, ...values }: Divergence): Divergence {
  return { path, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}
