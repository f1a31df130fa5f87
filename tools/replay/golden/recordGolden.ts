import type { ReplayCode } from '../engine/code.ts';
import type { StoreEngineOptions } from '../engine/createStoreEngine.ts';
import type { Engine } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { foldBeside } from './foldBeside.ts';
import { GOLDEN_FORMAT, GOLDEN_VERSION, type Golden, type GoldenStep } from './golden.ts';
import { goldenStep } from './goldenStep.ts';
import { type TracedEngine, createTracer, traceCapture } from './traceCapture.ts';
import type { TraceEnd } from './tracer.ts';

/** A new golden, with the warnings of the capture's reader. */
export interface RecordedGolden {
  readonly golden: Golden;
  readonly warnings: readonly string[];
}

/** A golden of the store, with whether the fold gives the same one. */
export interface CheckedGolden extends RecordedGolden {
  readonly doEnginesAgree: boolean;
}

interface RecordOptions extends Pick<StoreEngineOptions, 'wrapReducer'> {
  /** The fold's code; the app's own by default. */
  readonly code?: ReplayCode | undefined;
}

/**
 * Replays a capture with one engine and records its golden.
 * @param steps receives the updates, also those before an error.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function recordGoldenOf(
  path: string,
  traced: TracedEngine,
  steps: GoldenStep[] = [],
): Promise<RecordedGolden> {
  const { warnings, ...end } = await traceCapture(path, traced, ({ golden }) => steps.push(golden()));
  return { golden: goldenOf(steps, end), warnings };
}

/**
 * Replays a capture with the app's store and queue and records its golden. The fold runs beside it, over the same records.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the store's code throws. An error of the fold is a disagreement.
 */
export async function recordGolden(
  path: string,
  { code, wrapReducer }: RecordOptions = {},
): Promise<CheckedGolden> {
  const steps: GoldenStep[] = [];
  const fold = foldBeside(code);
  const store = createTracer({ engine: 'store', wrapReducer }, (traced) => {
    steps.push(goldenStep(traced));
    fold.expect(traced);
  });
  const both: Engine = {
    take(record) {
      const isTaken = store.take(record);
      fold.take(record);
      return isTaken;
    },
    finish: () => store.finish(),
  };
  const { replay, warnings } = await replayFile(path, both);
  const doEnginesAgree = fold.agrees(store, replay);
  return { golden: goldenOf(steps, store.end()), warnings, doEnginesAgree };
}

const goldenOf = (
  steps: readonly GoldenStep[],
  { end, connection, acts, rejected, ended }: TraceEnd,
): Golden => ({
  format: GOLDEN_FORMAT,
  version: GOLDEN_VERSION,
  ...end,
  connection,
  acts,
  rejected,
  steps,
  ...(ended && { ended }),
});
