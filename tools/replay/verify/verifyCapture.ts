import { performance } from 'node:perf_hooks';
import { CaptureError } from '../read/captureError.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';
import { type Golden, GoldenError } from '../golden/golden.ts';
import { parseGoldenText, goldenPath, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import { goldenText } from '../golden/goldenText.ts';
import { recordGolden } from '../golden/recordGolden.ts';
import { FoldError, traceCapture } from '../golden/traceCapture.ts';
import type { CaptureResult } from './captureResult.ts';

/** What a capture is compared with. */
export interface VerifyOptions {
  /** The verified code; the app's own by default. */
  readonly code?: ReplayCode;
  /** Another revision's code; its results are expected instead of the golden. */
  readonly base?: ReplayCode;
  /** Whether to write the golden instead of comparing with it. */
  readonly update?: boolean;
}

/** The outcome of a result, without the capture and the duration. */
type Outcome = CaptureResult extends infer R
  ? R extends CaptureResult
    ? Omit<R, 'capture' | 'ms'>
    : never
  : never;

/** Replays one capture and compares the result. Does not reject when the capture or the code is faulty. */
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

/** Describes an error in one line with the file's name. No error of one capture may hide the results of the others. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the fold threw ${error.message.split('\n')[0]}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

async function update(capture: string, { code }: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordGolden(capture, code);
  return { outcome: 'written', golden: await writeGolden(goldenPath(capture), golden), warnings };
}

/** Compares a replay with its golden. The same golden text is `same`; otherwise the golden's content decides. */
async function check(capture: string, { base, code = appCode }: VerifyOptions): Promise<Outcome> {
  if (base !== undefined) {
    return compare({ capture, code, golden: (await recordGolden(capture, base)).golden });
  }
  // First the capture: one that is missing has no golden either.
  const recorded = await recordedBy(capture, code);
  const path = goldenPath(capture);
  const text = await readGoldenText(path);
  // The fast path: the golden is not parsed.
  if (recorded !== undefined && goldenText(recorded.golden) === text)
    return same(recorded.golden, recorded.warnings);
  return compare({ capture, code, golden: parseGoldenText(path, text) });
}

/** Records a golden; returns `undefined` when the fold threw. The comparison then finds the update. */
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
