import { performance } from 'node:perf_hooks';
import { isStoreAdapter, replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter, loadStoreAdapter } from '../adapter/loadAdapter.ts';
import { preparedFor } from '../engine/replayFile.ts';
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
  replayProblem,
  stateBeforeStep,
} from '../golden/traceCapture.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { replayedStore } from '../store/storeSession.ts';
import { captureName } from '../read/stdin.ts';
import { thrownError } from '../workers/thrownError.ts';
import { findMutation, findQueueFault, frozenAdapter } from './findCause.ts';
import { SURROUNDINGS, withSurroundings } from '../golden/surroundings.ts';
import type { Difference, ResultRecord } from './resultRecord.ts';

/** How captures are verified: plain data, so that a worker can have it. */
export interface CaptureVerifierOptions {
  readonly update?: boolean | undefined;
  /** The bundle of another revision's code, whose results are expected; with `app`, of its adapter. */
  readonly base?: string | undefined;
  /** Compares this code with itself, without a golden: it finds what throws, or mutates a state. */
  readonly isAlone?: boolean | undefined;
  /** The bundle of the adapter of another app. */
  readonly app?: string | undefined;
  /** Captures of one run of the program, in their order; by default, their names tell which of them follow each other. */
  readonly inOrder?: readonly string[] | undefined;
  /** Replays with this script instead, which marks the code that runs. */
  readonly marked?: MarkedScript | undefined;
}

/** A script that marks the parts of the code that it runs. Plain data. */
export interface MarkedScript {
  /** A file with a function of CommonJS, whose last parameter receives the marks. */
  readonly file: string;
  /** The entry, from which its imports are resolved. */
  readonly entry: string;
  /** The number of parts. */
  readonly units: number;
  /** Whether the script is an adapter; otherwise it verifies by itself. */
  readonly isAdapter: boolean;
}

/** Returns a function that verifies one capture. @param loadOwn loads the app that is replayed without an adapter. */
export async function captureVerifier(given: CaptureVerifierOptions, loadOwn: () => Promise<OwnApp>) {
  const { update: isUpdate = false, inOrder = [], base, isAlone = false, app } = given;
  const own = app === undefined ? await loadOwn() : undefined;
  const replayed = own ?? (await bundledApp(`${app}`));
  let expected: Replayed | undefined = isAlone ? replayed : undefined;
  if (base !== undefined) expected = await (own === undefined ? bundledApp(base) : own.loadRevision(base));
  if (app !== undefined) expected &&= frozenApp(expected);
  const options = { ...replayed, base: expected, update: isUpdate && expected === undefined };
  return (capture: string) => {
    const at = inOrder.indexOf(capture);
    return verifyCapture(capture, { ...options, before: at > 0 ? inOrder.slice(0, at) : undefined });
  };
}

/** Loads the app of a bundle. One of a store is loaded again for each replay. */
async function bundledApp(file: string): Promise<Replayed> {
  const adapter = await loadAdapter(file);
  if (!isStoreAdapter(adapter)) return replayedApp(adapter);
  return replayedStore(adapter, () => loadStoreAdapter(file));
}

/** What a capture is compared with. States are frozen: a reducer that mutates one throws. */
export interface VerifyOptions extends Replayed {
  /** Another revision, whose results are expected instead of the golden. */
  readonly base?: Replayed | undefined;
  /** Whether to write the golden instead of comparing with it. */
  readonly update?: boolean;
  /** The captures of the same run of the program before this one, in their order; by default, those that its name tells. */
  readonly before?: readonly string[] | undefined;
}

/** Replays one capture and compares the result. Does not reject when the capture or the code is faulty. */
export async function verifyCapture(capture: string, options: VerifyOptions): Promise<ResultRecord> {
  const start = performance.now();
  const outcome = await outcomeOf(capture, options);
  return { capture, ms: Math.round((performance.now() - start) * 10) / 10, ...outcome };
}

async function outcomeOf(capture: string, options: VerifyOptions): Promise<Outcome> {
  const { adapter, before = capturesBefore(capture) } = options;
  const [first, ...others] = before;
  try {
    const outcome = options.update ? await writeNewGolden(capture, options) : await check(capture, options);
    if (outcome.difference !== undefined)
      return { ...outcome, difference: { ...outcome.difference, ...(await causeOf(capture, options)) } };
    if (first === undefined || adapter.endsSession === undefined) return outcome;
    // A session does not depend on those before it, so the result after them is the same.
    const { difference, ...rest } = await check(capture, options, [first, ...others]);
    return difference ? { ...rest, difference: { ...difference, after: before.at(-1) } } : outcome;
  } catch (error) {
    return { outcome: 'unusable', problem: replayProblem(capture, error), warnings: [] };
  }
}

/**
 * Returns an app as it continues the state in which the captures before end, if there are any.
 * @throws {CaptureError} when one of them cannot be used.
 * @throws {FoldError} when the replayed code throws.
 */
async function following(capture: string, replayed: Replayed, before?: CapturesInOrder): Promise<Traced> {
  if (before === undefined) return replayed;
  try {
    const after = await stateAfter(before, replayed.adapter);
    return { ...replayed, follows: { after, name: captureName(capture) } };
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new FoldError(String(error), { cause: error });
  }
}

/** Finds the cause of a failure: the mutation of a state, or a fault of the queue. */
async function causeOf(capture: string, replayed: Replayed): Promise<Partial<Difference>> {
  const { adapter } = await preparedFor(capture, replayed).catch(() => replayed);
  const mutated = await findMutation(capture, adapter, replayed.prepare !== undefined);
  return mutated ? { mutated } : { queue: await findQueueFault(capture, adapter) };
}

async function writeNewGolden(capture: string, options: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordTwice(capture, frozenApp(options));
  return { outcome: 'written', golden: await writeGolden(capture, golden), warnings };
}

/**
 * Records a new golden twice, with different clocks and random numbers.
 * @throws {GoldenError} when the goldens differ: a golden of such a reducer would not match its own replay. The message has the first path that
 * differs.
 * @throws {FoldError} when the replayed code throws in both replays.
 */
export async function recordTwice(capture: string, traced: Traced): Promise<RecordedGolden> {
  const record = () => orThrown(recordGolden(capture, traced));
  const first = await withSurroundings(SURROUNDINGS[0], record);
  const second = await withSurroundings(SURROUNDINGS[1], record);
  if (first instanceof FoldError && second instanceof FoldError) throw first;
  if (first instanceof FoldError || second instanceof FoldError)
    throw notDeterministic(capture, 'an error that only one of them throws');
  const difference = await compareWithGolden(first.golden, second, stateBeforeStep(capture, traced));
  if (difference === undefined) return first;
  const { update, state, end, ended = [] } = difference;
  const [place] = [...state, ...end, ...ended];
  throw notDeterministic(capture, `${place?.path}${update ? ` after update ${update.number}` : ''}`);
}

const notDeterministic = (capture: string, place: string): GoldenError =>
  new GoldenError(
    `${capture}: the reducer is not deterministic: two replays differ in ${place}; it may read no clock and no random numbers`,
  );

/** Compares a replay with its golden, or with that of another revision. The golden is parsed only when its text differs. @throws {CaptureError} when the capture cannot be read. */
async function check(capture: string, options: VerifyOptions, before?: CapturesInOrder): Promise<Outcome> {
  const traced = await following(capture, frozenApp(options), before);
  // First the capture: one that is missing has no golden either.
  const got = await orThrown(recordGolden(capture, traced));
  const path = goldenPath(capture);
  const tracedBase = options.base && (await following(capture, options.base, before));
  const base = tracedBase && (await orThrown(recordGolden(capture, tracedBase)));
  let expected: Golden | FoldError;
  if (base instanceof FoldError) expected = base;
  else {
    const text = base === undefined ? await readGoldenText(path) : goldenText(base.golden);
    if (!(got instanceof FoldError) && !got.beginning?.length && goldenText(got.golden) === text)
      return sameOutcome(got);
    expected = base?.golden ?? goldenOfApp(path, text, options);
  }
  const difference = await compareWithGolden(expected, got, stateBeforeStep(capture, traced));
  if (got instanceof FoldError) {
    const thrown = thrownError(got.cause);
    return { outcome: 'differs', difference: { state: [], end: [], ...difference, thrown }, warnings: [] };
  }
  if (difference === undefined) return sameOutcome(got);
  const isOfBase = true;
  const thrown = expected instanceof FoldError && { thrown: { ...thrownError(expected.cause), isOfBase } };
  return { outcome: 'differs', difference: { ...difference, ...thrown }, warnings: got.warnings };
}

/** Returns an app with frozen states; those of an app that prepares itself are frozen. */
const frozenApp = ({ adapter, app, prepare }: Replayed): Replayed => ({
  adapter: frozenAdapter(adapter),
  app,
  ...(prepare && { prepare }),
});

/** Parses a golden, which must be one of the replayed app. */
function goldenOfApp(path: string, text: string, { adapter, app }: Replayed): Golden {
  const golden = parseGolden(path, text);
  const of = goldenApp(golden);
  if (of === app) return golden;
  const hint = of === undefined ? 'leave --app out' : `give the adapter of ${of} with --app`;
  throw new GoldenError(`${path}: is a golden of ${of ?? 'Parley'}, not of ${adapter.name}; ${hint}`);
}

/** A result without the capture and the duration. */
type Outcome = Omit<ResultRecord, 'capture' | 'ms'>;

/** Returns the outcome of a replay without a difference. */
const sameOutcome = ({ golden: { counts }, warnings }: RecordedGolden): Outcome => ({
  outcome: 'same',
  updates: counts.applied + counts.ignored,
  warnings,
});
