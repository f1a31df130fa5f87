import { performance } from 'node:perf_hooks';
import { CaptureError } from '../read/captureError.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';
import { type Golden, GoldenError } from '../golden/golden.ts';
import { goldenOf, goldenPath, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import { goldenText } from '../golden/goldenText.ts';
import { recordGolden } from '../golden/recordGolden.ts';
import { FoldError, traceCapture } from '../golden/traceCapture.ts';
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
    return { outcome: 'unusable', problem: problemOf(capture, error), warnings: [] };
  }
}

/** Errors of the capture and of its golden name the file; any other must hide none of the other captures either. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the fold threw ${error.message.split('\n')[0]}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

async function update(capture: string, { code }: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordGolden(capture, code);
  return { outcome: 'written', golden: await writeGolden(goldenPath(capture), golden), warnings };
}

/** What comes to the golden's very text is the same; else what the golden says decides. */
async function check(capture: string, { base, code = appCode }: VerifyOptions): Promise<Outcome> {
  if (base !== undefined) {
    return compare({ capture, code, golden: (await recordGolden(capture, base)).golden });
  }
  // First, for a capture that is not there has no golden either.
  const recorded = await recordedBy(capture, code);
  const path = goldenPath(capture);
  const text = await readGoldenText(path);
  // The quick way: nothing of the golden is parsed.
  if (recorded !== undefined && goldenText(recorded.golden) === text)
    return same(recorded.golden, recorded.warnings);
  return compare({ capture, code, golden: goldenOf(path, text) });
}

/** What a capture comes to; `undefined` when the fold threw: where, the comparison tells. */
async function recordedBy(capture: string, code: ReplayCode) {
  try {
    return await recordGolden(capture, code);
  } catch (error) {
    if (error instanceof FoldError) return undefined;
    throw error;
  }
}

interface Comparing {
  readonly capture: string;
  readonly code: ReplayCode;
  readonly golden: Golden;
}

async function compare({ capture, code, golden }: Comparing): Promise<Outcome> {
  const comparison = compareWithGolden(golden);
  try {
    const trace = await traceCapture(capture, { code, onStep: comparison.onStep });
    const difference = comparison.finish(trace);
    const { warnings, end } = trace;
    return difference === undefined ? same(end, warnings) : { outcome: 'differs', difference, warnings };
  } catch (error) {
    if (!(error instanceof FoldError)) throw error;
    return { outcome: 'differs', difference: comparison.threw(error.message), warnings: [] };
  }
}

const same = ({ updates }: Pick<Golden, 'updates'>, warnings: readonly string[]): Outcome => ({
  outcome: 'same',
  updates: updates.applied + updates.ignored,
  warnings,
});
