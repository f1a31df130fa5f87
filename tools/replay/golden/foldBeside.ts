import type { CaptureRecord } from '#shared/capture/format.ts';
import type { ReplayCode } from '../engine/code.ts';
import type { Replay } from '../engine/replay.ts';
import { NOTHING, type Sides, isSameChange } from '../diff/isSameChange.ts';
import { isSameJson } from '../diff/isSameJson.ts';
import { isSameStep } from './compareWithGolden.ts';
import { type TracedStep, goldenStep } from './goldenStep.ts';
import type { Totals } from './goldenState.ts';
import { createTracer } from './traceCapture.ts';
import { FoldError, type Tracer } from './tracer.ts';

/** A fold that replays the same records as the store, and is compared with it. */
interface FoldBeside {
  /** Takes the next update of the store, which the fold must have too. */
  expect(traced: TracedStep): void;
  /** Takes the next record, after the store. */
  take(record: CaptureRecord): void;
  /** Returns whether the fold has the same updates and the same end as the store. */
  agrees(store: Tracer<Replay>, replay: Replay): boolean;
}

/**
 * Creates a fold beside the store. An error of its code is a disagreement.
 * @param code the fold's code; the app's own by default.
 */
export function foldBeside(code: ReplayCode | undefined): FoldBeside {
  const expected: TracedStep[] = [];
  let agrees = true;
  let last: Sides = NOTHING;
  let fold: Tracer<Replay> | undefined;
  const onStep = (got: TracedStep) => {
    const wanted = expected.shift();
    agrees &&= wanted !== undefined && isSameUpdate({ left: wanted, right: got }, last);
    last = { left: wanted?.step.after, right: got.step.after };
  };
  const run = (use: (tracer: Tracer<Replay>) => void) => {
    if (!agrees) return;
    try {
      fold ??= createTracer({ engine: 'fold', ...(code && { code }) }, onStep);
      use(fold);
    } catch (error) {
      if (!(error instanceof FoldError)) throw error;
      agrees = false;
    }
  };
  return {
    expect: (traced) => void expected.push(traced),
    take: (record) => run((tracer) => tracer.take(record)),
    agrees(store, replay) {
      run((tracer) => {
        const ends = { left: replay, right: tracer.finish() };
        agrees &&= expected.length === 0 && isSameEnd(ends, { left: store, right: tracer });
      });
      return agrees;
    },
  };
}

/** Compares the states, and only if they differ what a golden contains of them: this takes a fraction of the time for each update. */
function isSameUpdate({ left, right }: Sides<TracedStep>, last: Sides): boolean {
  const [before, after] = [
    { left: left.step.before, right: right.step.before },
    { left: left.step.after, right: right.step.after },
  ];
  const isSame =
    isSameChange(before, last) &&
    isSameChange(after, before) &&
    isSameChange(
      arrivalsOf(left.totalsAfter, right.totalsAfter),
      arrivalsOf(left.totalsBefore, right.totalsBefore),
    ) &&
    isSameChange({ left: othersOf(left), right: othersOf(right) }, NOTHING);
  return isSame || isSameStep(goldenStep(left), goldenStep(right));
}

/** Returns the parts of an update other than the conversation and the arrivals. */
const othersOf = ({ step, totalsBefore, totalsAfter }: TracedStep) => {
  const { before: _before, after: _after, update, ...others } = step;
  const totals = [withoutArrivals(totalsBefore), withoutArrivals(totalsAfter)];
  return { ...others, kind: update.kind, totals };
};

const withoutArrivals = ({ arrivals: _arrivals, ...others }: Totals) => others;

/** Those before an update are those after the previous one, so they were compared already. */
const arrivalsOf = (left: Totals, right: Totals): Sides => ({ left: left.arrivals, right: right.arrivals });

const isSameEnd = (ends: Sides<Replay>, tracers: Sides<Tracer<Replay>>): boolean =>
  isSameJson(tracers.left.lists, tracers.right.lists) &&
  isSameJson(tracers.left.ended(), tracers.right.ended()) &&
  (isSameChange(ends, NOTHING) || isSameJson(tracers.left.end(), tracers.right.end()));
