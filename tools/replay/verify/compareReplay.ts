import { isSameJson, valueDiff } from '../diff/valueDiff.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';
import type { Golden, GoldenStep } from '../golden/golden.ts';
import { FoldError, type Traced, traceCapture } from '../golden/traceCapture.ts';
import { thrownError } from '../workers/thrownError.ts';
import type { CaptureResult } from './resultRecord.ts';

/** The outcome of a result, without the capture and the duration. */
export type Outcome = CaptureResult extends infer R
  ? R extends CaptureResult
    ? Omit<R, 'capture' | 'ms'>
    : never
  : never;

interface Comparing {
  readonly traced: Traced;
  readonly golden: Golden;
  /** The golden of the same replay, when it is known. */
  readonly recorded?: Golden | undefined;
}

/**
 * Replays a capture and finds where it differs from a golden.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function compareReplay(
  capture: string,
  { traced, golden, recorded }: Comparing,
): Promise<Outcome> {
  const comparison = compareWithGolden(golden);
  try {
    const trace = await traceCapture(capture, traced, comparison.onStep);
    const { warnings, end } = trace;
    const difference = comparison.finish(golden, trace) ?? otherDifference(golden, recorded);
    return difference === undefined
      ? sameOutcome(end, warnings)
      : { outcome: 'differs', difference, warnings };
  } catch (error) {
    if (!(error instanceof FoldError)) throw error;
    const divergence = comparison.threw({ got: error.message });
    return {
      outcome: 'differs',
      difference: { ...divergence, thrown: thrownError(error.cause) },
      warnings: [],
    };
  }
}

/** Compares the goldens as a whole, after no difference was found where differences are looked for. */
function otherDifference(expected: Golden, got: Golden | undefined) {
  if (got === undefined || isSameJson(expected, got)) return undefined;
  const end = valueDiff(expected, got).map(({ path, before, after }) => ({
    path,
    expected: before,
    got: after,
  }));
  return { state: [], end };
}

/** The replay of another revision that threw: its updates until then, and the error. */
export interface ThrownReplay {
  readonly steps: readonly GoldenStep[];
  readonly thrown: FoldError;
}

/**
 * Replays a capture and compares it with the replay of another revision that threw: it always differs.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function compareWithThrown(
  capture: string,
  traced: Traced,
  { steps, thrown }: ThrownReplay,
): Promise<Outcome> {
  const comparison = compareWithGolden({ steps: [...steps] });
  const expected = thrown.message;
  try {
    const { warnings } = await traceCapture(capture, traced, comparison.onStep);
    const difference = {
      ...comparison.threw({ expected }),
      thrown: { ...thrownError(thrown.cause), isOfBase: true },
    };
    return { outcome: 'differs', difference, warnings };
  } catch (error) {
    if (!(error instanceof FoldError)) throw error;
    const divergence = comparison.threw({ expected, got: error.message });
    return {
      outcome: 'differs',
      difference: { ...divergence, thrown: thrownError(error.cause) },
      warnings: [],
    };
  }
}

/** Returns the outcome of a replay without a difference. */
export const sameOutcome = ({ counts }: Pick<Golden, 'counts'>, warnings: readonly string[]): Outcome => ({
  outcome: 'same',
  updates: counts.applied + counts.ignored,
  warnings,
});
