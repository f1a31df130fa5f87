import { parleyAdapter } from '#shared/replay/adapter.ts';
import { GOLDEN_FORMAT, GOLDEN_VERSION, type Golden, type GoldenStep } from './golden.ts';
import { type Traced, traceCapture } from './traceCapture.ts';
import type { TraceEnd } from './tracer.ts';

/** A new golden, with the warnings of the capture's reader. */
export interface RecordedGolden {
  readonly golden: Golden;
  readonly warnings: readonly string[];
}

/**
 * Replays a capture, by default with Parley, and records its golden.
 * @param steps receives the updates, also those before an error.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function recordGolden(
  path: string,
  traced: Traced = { parley: parleyAdapter() },
  steps: GoldenStep[] = [],
): Promise<RecordedGolden> {
  const { warnings, ...end } = await traceCapture(path, traced, ({ golden }) => steps.push(golden()));
  return { golden: goldenOf(steps, end), warnings };
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
