import { performance } from 'node:perf_hooks';
import type { Replayed } from '../engine/sessionAdapter.ts';
import { type CapturesInOrder, capturesBefore, stateAfter } from '../engine/continuedEngine.ts';
import { type Golden, GoldenError, type GoldenStep, goldenApp, goldenText } from '../golden/golden.ts';
import { goldenPath, parseGoldenText, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import {
  FoldError,
  type RecordedGolden,
  type Traced,
  recordGolden,
  traceCapture,
} from '../golden/traceCapture.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';
import { thrownError, thrownText } from '../workers/thrownError.ts';
import { findMutation, findQueueFault, frozenAdapter } from './findCause.ts';
import { recordTwice } from './recordTwice.ts';
import type { CaptureResult } from './resultRecord.ts';
import { isSameJson, valueDiff } from '../diff/valueDiff.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';

/** What a capture is compared with. States are frozen: a reducer that mutates one throws. */
export interface VerifyOptions extends Replayed {
  /** Another revision, whose results are expected instead of the golden. */
  readonly base?: Replayed | undefined;
  /** Whether to write the golden instead of comparing with it. */
  readonly update?: boolean;
  /** The captures of the same run of the program before this one, in their order; by default, those that its name tells. */
  readonly before?: readonly string[];
}

/** Replays one capture and compares the result. Does not reject when the capture or the code is faulty. */
export async function verifyCapture(capture: string, options: VerifyOptions): Promise<CaptureResult> {
  const start = performance.now();
  const outcome = await outcomeOf(capture, options);
  return { capture, ms: Math.round((performance.now() - start) * 10) / 10, ...outcome };
}

async function outcomeOf(capture: string, options: VerifyOptions): Promise<Outcome> {
  try {
    const outcome = options.update ? await update(capture, options) : await check(capture, options);
    const differing = await withCause(capture, options, outcome);
    return (await afterOthers(capture, options, differing)) ?? differing;
  } catch (error) {
    return { outcome: 'unusable', problem: problemOf(capture, error), warnings: [] };
  }
}

/**
 * Compares a capture whose own result is as expected after those before it: a session does not depend on those before it. Resolves to `undefined`
 * when that makes no difference.
 */
async function afterOthers(
  capture: string,
  options: VerifyOptions,
  { outcome: alone }: Outcome,
): Promise<Outcome | undefined> {
  const { adapter, base, before = capturesBefore(capture) } = options;
  const [first, ...others] = before;
  if (first === undefined || adapter.endsSession === undefined || (alone !== 'same' && alone !== 'written'))
    return undefined;
  const captures: CapturesInOrder = [first, ...others];
  const path = goldenPath(capture);
  const golden =
    base === undefined
      ? goldenOfApp(path, await readGoldenText(path), options)
      : (await recordGolden(capture, await following(capture, base, captures))).golden;
  const traced = await following(capture, frozenApp(options), captures);
  const outcome = await compareReplay(capture, { traced, golden });
  if (outcome.outcome !== 'differs') return undefined;
  return { ...outcome, difference: { ...outcome.difference, after: captures.at(-1) ?? '' } };
}

/**
 * Returns an app as it continues the state in which the captures before end.
 * @throws {CaptureError} when one of them cannot be used.
 * @throws {FoldError} when the replayed code throws.
 */
async function following(capture: string, replayed: Replayed, before: CapturesInOrder): Promise<Traced> {
  try {
    const after = await stateAfter(before, replayed.adapter);
    return { ...replayed, follows: { after, name: captureName(capture) } };
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new FoldError(String(error), { cause: error });
  }
}

/** Adds the cause of a failure, if it is found: the mutation of a state, or a fault of the queue. */
async function withCause(capture: string, options: VerifyOptions, outcome: Outcome): Promise<Outcome> {
  if (outcome.outcome !== 'differs') return outcome;
  const { difference } = outcome;
  const mutated = await findMutation(capture, options.adapter);
  if (mutated !== undefined) return { ...outcome, difference: { ...difference, mutated } };
  const queue = await findQueueFault(capture, options.adapter);
  return queue === undefined ? outcome : { ...outcome, difference: { ...difference, queue } };
}

/** Describes an error in one line with the file's name. No error of one capture may hide the results of the others. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the replayed code threw ${thrownText(error.cause)}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

async function update(capture: string, options: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordTwice(capture, () => recordGolden(capture, frozenApp(options)));
  return { outcome: 'written', golden: await writeGolden(capture, golden), warnings };
}

/** Compares a replay with its golden. The same golden text is `same`; otherwise the golden's content decides. */
async function check(capture: string, options: VerifyOptions): Promise<Outcome> {
  const traced = frozenApp(options);
  // First the capture: one that is missing has no golden either.
  const recorded = await recordedBy(capture, traced);
  const expected = await expectedResult(capture, options);
  if ('thrown' in expected) return compareWithThrown(capture, traced, expected);
  const isSame = recorded !== undefined && goldenText(recorded.golden) === expected.text;
  return isSame
    ? sameOutcome(recorded.golden, recorded.warnings)
    : compareReplay(capture, { traced, golden: expected.golden(), recorded: recorded?.golden });
}

const frozenApp = ({ adapter, app }: Replayed): Replayed => ({ adapter: frozenAdapter(adapter), app });

interface ExpectedResult {
  readonly text: string;
  readonly golden: () => Golden;
}

/**
 * Returns the text of the golden, or of the result of the other revision; the golden is parsed only when its text differs. When the code of the
 * other revision threw, returns its updates until then.
 */
async function expectedResult(
  capture: string,
  options: VerifyOptions,
): Promise<ExpectedResult | ThrownReplay> {
  if (options.base === undefined) {
    const path = goldenPath(capture);
    const text = await readGoldenText(path);
    return { text, golden: () => goldenOfApp(path, text, options) };
  }
  const steps: GoldenStep[] = [];
  const recorded = await recordGolden(capture, options.base, steps).catch(foldError);
  if (recorded instanceof FoldError) return { steps, thrown: recorded };
  const { golden } = recorded;
  return { text: goldenText(golden), golden: () => golden };
}

/** Parses a golden, which must be one of the replayed app. */
function goldenOfApp(path: string, text: string, { adapter, app }: Replayed): Golden {
  const golden = parseGoldenText(path, text);
  const of = goldenApp(golden);
  if (of === app) return golden;
  const hint = of === undefined ? 'leave --app out' : `give the adapter of ${of} with --app`;
  throw new GoldenError(`${path}: is a golden of ${of ?? 'Parley'}, not of ${adapter.name}; ${hint}`);
}

/** Returns the error of replayed code that threw; throws any other error. */
function foldError(error: unknown): FoldError {
  if (error instanceof FoldError) return error;
  throw error;
}

/** Records a golden; returns `undefined` when the replayed code threw. The comparison then finds the update. */
const recordedBy = (capture: string, traced: Traced): Promise<RecordedGolden | undefined> =>
  recordGolden(capture, traced).catch((error: unknown) => {
    foldError(error);
    return undefined;
  });

/** The outcome of a result, without the capture and the duration. */
type Outcome = CaptureResult extends infer R
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
async function compareReplay(capture: string, { traced, golden, recorded }: Comparing): Promise<Outcome> {
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
interface ThrownReplay {
  readonly steps: readonly GoldenStep[];
  readonly thrown: FoldError;
}

/**
 * Replays a capture and compares it with the replay of another revision that threw: it always differs.
 * @throws {CaptureError} when the capture cannot be read.
 */
async function compareWithThrown(
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
const sameOutcome = ({ counts }: Pick<Golden, 'counts'>, warnings: readonly string[]): Outcome => ({
  outcome: 'same',
  updates: counts.applied + counts.ignored,
  warnings,
});
