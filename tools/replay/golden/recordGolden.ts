import type { ReplayCode } from '../engine/code.ts';
import { GOLDEN_FORMAT, GOLDEN_VERSION, type Golden, type GoldenStep } from './golden.ts';
import { traceCapture } from './traceCapture.ts';

/** A new golden, with the warnings of the capture's reader. */
export interface RecordedGolden {
  readonly golden: Golden;
  readonly warnings: readonly string[];
}

/**
 * Replays a capture and records its golden.
 * @param code the code of another revision; the app's own by default.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function recordGolden(path: string, code?: ReplayCode): Promise<RecordedGolden> {
  const steps: GoldenStep[] = [];
  const { end, rejected, warnings } = await traceCapture(path, {
    ...(code && { code }),
    onStep: (step) => steps.push(step),
  });
  return { golden: { format: GOLDEN_FORMAT, version: GOLDEN_VERSION, ...end, rejected, steps }, warnings };
}
