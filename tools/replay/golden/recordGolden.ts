import type { ReplayCode } from '../engine/code.ts';
import type { Engine, Replay } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { isSameJson } from '../diff/isSameJson.ts';
import { isSameStep } from './compareWithGolden.ts';
import { GOLDEN_FORMAT, GOLDEN_VERSION, type Golden, type GoldenStep } from './golden.ts';
import { FoldError, type TraceEnd, type Tracer, createTracer, traceCapture } from './traceCapture.ts';

/** A new golden, with the warnings of the capture's reader. */
export interface RecordedGolden {
  readonly golden: Golden;
  readonly warnings: readonly string[];
}

/** A golden of the store, with whether the fold gives the same one. */
export interface CheckedGolden extends RecordedGolden {
  readonly doEnginesAgree: boolean;
}

/**
 * Replays a capture with the fold and records its golden.
 * @param code the code of another revision; the app's own by default.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function recordFoldGolden(path: string, code?: ReplayCode): Promise<RecordedGolden> {
  const steps: GoldenStep[] = [];
  const { warnings, ...end } = await traceCapture(
    path,
    { engine: 'fold', ...(code && { code }) },
    ({ golden }) => steps.push(golden),
  );
  return { golden: goldenOf(steps, end), warnings };
}

/**
 * Replays a capture with the app's store and queue and records its golden. The fold runs beside it, over the same records.
 * @param code the fold's code; the app's own by default.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the store's code throws. An error of the fold is a disagreement.
 */
export async function recordGolden(path: string, code?: ReplayCode): Promise<CheckedGolden> {
  const steps: GoldenStep[] = [];
  const store = createTracer({ engine: 'store' }, ({ golden }) => steps.push(golden));
  const fold = checkFold(steps, code);
  const both: Engine = {
    take(record) {
      const isTaken = store.take(record);
      fold.run((tracer) => tracer.take(record));
      return isTaken;
    },
    finish() {
      const replay = store.finish();
      fold.run((tracer) => tracer.finish());
      return replay;
    },
  };
  const { warnings } = await replayFile(path, both);
  const end = store.end();
  return { golden: goldenOf(steps, end), warnings, doEnginesAgree: fold.agrees(end) };
}

/** Runs a fold beside the store and compares its steps with the store's. */
function checkFold(expected: readonly GoldenStep[], code: ReplayCode | undefined) {
  let agrees = true;
  let count = 0;
  let tracer: Tracer | undefined;
  const create = () =>
    createTracer({ engine: 'fold', ...(code && { code }) }, ({ golden }) => {
      const step = expected[count++];
      agrees &&= step !== undefined && isSameStep(step, golden);
    });
  return {
    run(use: (fold: Tracer) => boolean | Replay) {
      if (!agrees) return;
      try {
        tracer ??= create();
        use(tracer);
      } catch (error) {
        if (!(error instanceof FoldError)) throw error;
        agrees = false;
      }
    },
    agrees: (end: TraceEnd) => agrees && count === expected.length && isSameJson(end, tracer?.end()),
  };
}

const goldenOf = (steps: readonly GoldenStep[], { end, ...lists }: TraceEnd): Golden => ({
  format: GOLDEN_FORMAT,
  version: GOLDEN_VERSION,
  ...end,
  ...lists,
  steps,
});
