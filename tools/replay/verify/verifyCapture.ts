import { performance } from 'node:perf_hooks';
import { CaptureError } from '../engine/captureError.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { type Difference, compareWithGolden } from '../engine/firstDifference.ts';
import { type Golden, GoldenError } from '../engine/golden.ts';
import { goldenPath, readGolden, writeGolden } from '../engine/goldenFile.ts';
import { recordGolden } from '../engine/recordGolden.ts';
import { FoldError, traceCapture } from '../engine/traceCapture.ts';
import type { CaptureResult } from './captureResult.ts';

/** What a capture is held against. */
export interface VerifyOptions {
  /** The code that is looked at; the app's own by default. */
  readonly code?: ReplayCode;
  /** The code of the revision that it is held against, in place of the golden beside the capture. */
  readonly base?: ReplayCode;
  /** Writes the golden anew in place of looking at it. */
  readonly update?: boolean;
}

/** The part of a result that says what it came to. */
type Outcome = CaptureResult extends infer R
  ? R extends CaptureResult
    ? Omit<R, 'capture' | 'ms'>
    : never
  : never;

/** Replays one capture and says whether it is what it was. Never rejects for the capture's or the code's sake. */
export async function verifyCapture(capture: string, options: VerifyOptions = {}): Promise<CaptureResult> {
  const start = performance.now();
  const outcome = await outcomeOf(capture, options);
  return { capture, ms: Math.round((performance.now() - start) * 10) / 10, ...outcome };
}

async function outcomeOf(capture: string, options: VerifyOptions): Promise<Outcome> {
  try {
    return options.update ? await update(capture, options) : await check(capture, options);
  } catch (error) {
    const isKnown =
      error instanceof CaptureError || error instanceof GoldenError || error instanceof FoldError;
    if (!isKnown) throw error;
    const problem =
      error instanceof FoldError ? `${capture}: the fold threw ${error.message}` : error.message;
    return { outcome: 'unusable', problem, warnings: [] };
  }
}

async function update(capture: string, { code }: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordGolden(capture, code);
  return { outcome: 'written', golden: await writeGolden(goldenPath(capture), golden), warnings };
}

async function check(capture: string, { base, code = appCode }: VerifyOptions): Promise<Outcome> {
  const golden = await expected(capture, base);
  const comparison = compareWithGolden(golden);
  try {
    const trace = await traceCapture(capture, { code, onStep: comparison.onStep });
    const difference = comparison.finish(trace);
    const { warnings, end } = trace;
    if (difference !== undefined) return { outcome: 'differs', difference, warnings };
    return { outcome: 'same', updates: end.updates.applied + end.updates.ignored, warnings };
  } catch (error) {
    if (!(error instanceof FoldError)) throw error;
    const difference: Difference = comparison.threw(error.message);
    return { outcome: 'differs', difference, warnings: [] };
  }
}

/** The golden beside the capture, or one made just now by another revision's code. */
const expected = async (capture: string, base: ReplayCode | undefined): Promise<Golden> =>
  base === undefined ? readGolden(goldenPath(capture)) : (await recordGolden(capture, base)).golden;
