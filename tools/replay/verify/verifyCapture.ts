import { performance } from 'node:perf_hooks';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { type CapturesInOrder, capturesBefore, stateAfter } from '../engine/continuedEngine.ts';
import type { OwnApp, Replayed } from '../engine/sessionAdapter.ts';
import { compareWithGolden } from '../golden/compareWithGolden.ts';
import { type Golden, GoldenError, goldenApp, goldenText, parseGolden } from '../golden/golden.ts';
import { goldenPath, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import {
  FoldError,
  type RecordedGolden,
  type Traced,
  orThrown,
  recordGolden,
  stateBeforeStep,
} from '../golden/traceCapture.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';
import { thrownError, thrownText } from '../workers/thrownError.ts';
import { findMutation, findQueueFault, frozenAdapter } from './findCause.ts';
import { recordTwice } from './recordTwice.ts';
import type { CaptureResult } from './resultRecord.ts';

/** How captures are verified: plain data, so that a worker can have it. */
export interface CaptureVerifierOptions {
  readonly update?: boolean;
  /** The bundle of another revision's code, whose results are expected; with `app`, of its adapter. */
  readonly base?: string;
  /** Compares this code with itself, without a golden: it finds what throws, or mutates a state. */
  readonly isAlone?: boolean;
  /** The bundle of the adapter of another app. */
  readonly app?: string;
  /** Captures of one run of the program, in their order; by default, their names tell which of them follow each other. */
  readonly inOrder?: readonly string[] | undefined;
}

/** Returns a function that verifies one capture. */
export async function captureVerifier(
  { update: isUpdate = false, inOrder = [], ...options }: CaptureVerifierOptions,
  own: OwnApp,
): Promise<(capture: string) => Promise<CaptureResult>> {
  const replayed = options.app === undefined ? own : await bundledApp(options.app);
  const base = await expectedApp(options, { own, replayed });
  const common = { ...replayed, base, update: isUpdate && base === undefined };
  return (capture) => {
    const before = inOrder.slice(0, Math.max(inOrder.indexOf(capture), 0));
    return verifyCapture(capture, { ...common, ...(before.length > 0 && { before }) });
  };
}

const bundledApp = async (file: string): Promise<Replayed> => replayedApp(await loadAdapter(file));

/** Returns the app whose results are expected; `undefined` for goldens. */
async function expectedApp(
  { base, isAlone = false, app }: CaptureVerifierOptions,
  { own, replayed }: { readonly own: OwnApp; readonly replayed: Replayed },
): Promise<Replayed | undefined> {
  if (isAlone) return app === undefined ? own : frozenApp(replayed);
  if (base === undefined) return undefined;
  return app === undefined ? own.loadRevision(base) : frozenApp(await bundledApp(base));
}

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
  const expected =
    base === undefined
      ? goldenOfApp(goldenPath(capture), await readGoldenText(goldenPath(capture)), options)
      : (await recordGolden(capture, await following(capture, base, captures))).golden;
  const traced = await following(capture, frozenApp(options), captures);
  const got = await orThrown(recordGolden(capture, traced));
  const outcome = await compareReplay(capture, { traced, expected, got });
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

/** Compares a replay with its golden, or with that of another revision. The golden is parsed only when its text differs. */
async function check(capture: string, options: VerifyOptions): Promise<Outcome> {
  const traced = frozenApp(options);
  // First the capture: one that is missing has no golden either.
  const got = await orThrown(recordGolden(capture, traced));
  const path = goldenPath(capture);
  const base = options.base && (await orThrown(recordGolden(capture, options.base)));
  if (base instanceof FoldError) return compareReplay(capture, { traced, expected: base, got });
  const text = base === undefined ? await readGoldenText(path) : goldenText(base.golden);
  if (!(got instanceof FoldError) && goldenText(got.golden) === text) return sameOutcome(got);
  const expected = base?.golden ?? goldenOfApp(path, text, options);
  return compareReplay(capture, { traced, expected, got });
}

const frozenApp = ({ adapter, app }: Replayed): Replayed => ({ adapter: frozenAdapter(adapter), app });

/** Parses a golden, which must be one of the replayed app. */
function goldenOfApp(path: string, text: string, { adapter, app }: Replayed): Golden {
  const golden = parseGolden(path, text);
  const of = goldenApp(golden);
  if (of === app) return golden;
  const hint = of === undefined ? 'leave --app out' : `give the adapter of ${of} with --app`;
  throw new GoldenError(`${path}: is a golden of ${of ?? 'Parley'}, not of ${adapter.name}; ${hint}`);
}

/** The outcome of a result, without the capture and the duration. */
type Outcome = CaptureResult extends infer R
  ? R extends CaptureResult
    ? Omit<R, 'capture' | 'ms'>
    : never
  : never;

interface Comparing {
  readonly traced: Traced;
  /** The golden, or the replay of another revision that threw. */
  readonly expected: Golden | FoldError;
  readonly got: RecordedGolden | FoldError;
}

/**
 * Finds where a replay differs from the expected result.
 * @throws {CaptureError} when the capture cannot be read.
 */
async function compareReplay(capture: string, { traced, expected, got }: Comparing): Promise<Outcome> {
  const stateBefore = (index: number) => stateBeforeStep(capture, traced, index);
  const difference = await compareWithGolden(expected, got, stateBefore);
  if (got instanceof FoldError) {
    const thrown = thrownError(got.cause);
    return { outcome: 'differs', difference: { state: [], end: [], ...difference, thrown }, warnings: [] };
  }
  if (difference === undefined) return sameOutcome(got);
  const isOfBase = true;
  const thrown = expected instanceof FoldError && { thrown: { ...thrownError(expected.cause), isOfBase } };
  return { outcome: 'differs', difference: { ...difference, ...thrown }, warnings: got.warnings };
}

/** Returns the outcome of a replay without a difference. */
const sameOutcome = ({ golden: { counts }, warnings }: RecordedGolden): Outcome => ({
  outcome: 'same',
  updates: counts.applied + counts.ignored,
  warnings,
});
