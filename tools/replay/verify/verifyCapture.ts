import { performance } from 'node:perf_hooks';
import { CaptureError } from '../read/captureError.ts';
import { plainAdapter } from '../adapter/plainAdapter.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import type { ReplayCode } from '../engine/code.ts';
import { type Golden, GoldenError, type GoldenStep, goldenApp } from '../golden/golden.ts';
import { parseGoldenText, goldenPath, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import { goldenText } from '../golden/goldenText.ts';
import {
  type CheckedGolden,
  type RecordedGolden,
  recordGolden,
  recordGoldenOf,
} from '../golden/recordGolden.ts';
import type { ParleyEngine, TracedEngine } from '../golden/traceCapture.ts';
import { capturesBefore } from '../sessions/capturesBefore.ts';
import { FoldError } from '../golden/tracer.ts';
import type { CaptureResult } from './captureResult.ts';
import {
  type Outcome,
  type ThrownReplay,
  compareReplay,
  compareWithThrown,
  sameOutcome,
} from './compareReplay.ts';
import { type CapturesBefore, compareAfter, followingEngine } from './compareAfter.ts';
import { examinedAdapter, examinedCode } from './mutation/examinedCode.ts';
import { type Mutation, findMutation } from './mutation/findMutation.ts';
import { findQueueFault } from './mutation/findQueueFault.ts';
import { frozenAdapter, frozenCode } from './mutation/frozenCode.ts';
import { findStoreMutation, frozenReducer } from './mutation/findStoreMutation.ts';
import { recordTwice } from './recordTwice.ts';
import { thrownText } from '../workers/thrownError.ts';

/** The engines of Parley's own code. */
export type ParleyEngineName = Exclude<TracedEngine['engine'], 'app'>;

/** What a capture is compared with. */
export interface VerifyOptions {
  /**
   * `store`, the default: the app's store and queue make the result that is compared with the golden, with frozen states, and the fold is checked
   * beside it.
   * `fold`: the fold alone, which is faster.
   */
  readonly engine?: ParleyEngineName;
  /** The fold's code; the app's own by default. */
  readonly code?: ReplayCode;
  /** Another revision's code; its results, with the fold, are expected instead of the golden. */
  readonly base?: ReplayCode;
  /** The adapter of another app, whose frames are replayed instead of Parley's. It has one engine, and its states are frozen. */
  readonly app?: AppAdapter;
  /** Another revision's adapter; its results are expected instead of the golden. */
  readonly appBase?: AppAdapter;
  /** Whether to write the golden instead of comparing with it. The store makes it, with either engine. */
  readonly update?: boolean;
  /** The captures of the same run of the program before this one, in their order; by default, those that its name tells. */
  readonly before?: readonly string[];
}

/** Replays one capture and compares the result. Does not reject when the capture or the code is faulty. */
export async function verifyCapture(capture: string, options: VerifyOptions = {}): Promise<CaptureResult> {
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

/** Compares a capture whose own result is as expected after those before it; resolves to `undefined` when that makes no difference. */
async function afterOthers(capture: string, options: VerifyOptions, { outcome }: Outcome) {
  const { app, base, code, engine = 'store', before = capturesBefore(capture) } = options;
  const [first, ...others] = before;
  if (first === undefined || app !== undefined || (outcome !== 'same' && outcome !== 'written'))
    return undefined;
  const captures: CapturesBefore = [first, ...others];
  const fold = { engine: 'fold', ...(code && { code }) } as const;
  const store = { engine: 'store', wrapReducer: frozenReducer } as const;
  const golden = await goldenAfter(capture, captures, base);
  for (const traced of engine === 'store' ? [store, fold] : [fold]) {
    const differing = await compareAfter(capture, captures, { golden, traced });
    if (differing !== undefined) return differing;
  }
  return undefined;
}

/** Returns the expected result of a capture after others: its golden, or the result of another revision, after the same captures. */
async function goldenAfter(
  capture: string,
  before: CapturesBefore,
  base: ReplayCode | undefined,
): Promise<Golden> {
  const path = goldenPath(capture);
  if (base === undefined) return goldenOfApp(path, await readGoldenText(path), undefined);
  const traced: ParleyEngine = await followingEngine(capture, { engine: 'fold', code: base }, before);
  return (await recordGoldenOf(capture, traced)).golden;
}

/**
 * Adds the cause of a failure, if it is found: the mutation of a state, or a fault of the queue. A mutation is not a disagreement of the engines: both
 * have the same reducers.
 */
async function withCause(capture: string, options: VerifyOptions, outcome: Outcome): Promise<Outcome> {
  if (outcome.outcome !== 'differs' && outcome.outcome !== 'disagrees') return outcome;
  const { difference } = outcome;
  const mutated = await mutationIn(capture, options);
  if (mutated !== undefined)
    return { ...outcome, outcome: 'differs', difference: { ...difference, mutated } };
  const isOfStore = outcome.outcome === 'differs' && options.app === undefined && options.engine !== 'fold';
  const queue = isOfStore ? await findQueueFault(capture) : undefined;
  return queue === undefined ? outcome : { ...outcome, difference: { ...difference, queue } };
}

/** Looks for a mutation in the engines that made the result: the store, and the fold when its code is not that of the store. */
async function mutationIn(
  capture: string,
  { engine = 'store', code, app }: VerifyOptions,
): Promise<Mutation | undefined> {
  if (app !== undefined) return findMutation(capture, examinedAdapter(app));
  const inStore = engine === 'store' ? await findStoreMutation(capture) : undefined;
  if (inStore !== undefined || (engine === 'store' && code === undefined)) return inStore;
  return findMutation(capture, examinedCode(code));
}

/** Describes an error in one line with the file's name. No error of one capture may hide the results of the others. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the replayed code threw ${thrownText(error.cause)}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

/** The store's states are frozen. The fold's are not: its reducers are the same, unless it has other code. */
const frozenEngines = (code: ReplayCode | undefined) => ({
  wrapReducer: frozenReducer,
  ...(code && { code: frozenCode(code) }),
});

async function update(capture: string, { code, app }: VerifyOptions): Promise<Outcome> {
  const { golden, warnings, doEnginesAgree } = await recordTwice(capture, () =>
    app ? recordAppGolden(capture, app) : recordGolden(capture, frozenEngines(code)),
  );
  if (!doEnginesAgree) return disagreement({ capture, code, golden, warnings });
  return { outcome: 'written', golden: await writeGolden(capture, golden), warnings };
}

/** Compares a replay with its golden. The same golden text is `same`; otherwise the golden's content decides. */
async function check(capture: string, options: VerifyOptions): Promise<Outcome> {
  const { code } = options;
  // First the capture: one that is missing has no golden either.
  const recorded = await recordedBy(capture, options);
  const expected = await expectedResult(capture, options);
  const traced = tracedBy(options);
  if ('thrown' in expected) return compareWithThrown(capture, traced, expected);
  const isSame = recorded !== undefined && goldenText(recorded.golden) === expected.text;
  const outcome = isSame
    ? sameOutcome(recorded.golden, recorded.warnings)
    : await compareReplay(capture, { traced, golden: expected.golden(), recorded: recorded?.golden });
  if (outcome.outcome !== 'same' || recorded === undefined || recorded.doEnginesAgree) return outcome;
  return disagreement({ capture, code, ...recorded });
}

/** Returns the engine whose result is compared. */
function tracedBy({ engine = 'store', code, app }: VerifyOptions): TracedEngine {
  if (app !== undefined) return { engine: 'app', adapter: frozenAdapter(plainAdapter(app)) };
  return engine === 'store' ? { engine, wrapReducer: frozenReducer } : { engine, ...(code && { code }) };
}

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
  { base, appBase, app }: VerifyOptions,
): Promise<ExpectedResult | ThrownReplay> {
  if (base === undefined && appBase === undefined) {
    const path = goldenPath(capture);
    const text = await readGoldenText(path);
    return { text, golden: () => goldenOfApp(path, text, app) };
  }
  const steps: GoldenStep[] = [];
  const traced = tracedBy({ engine: 'fold', ...(base && { code: base }), ...(appBase && { app: appBase }) });
  const recorded = await recordGoldenOf(capture, traced, steps).catch(foldError);
  if (recorded instanceof FoldError) return { steps, thrown: recorded };
  const { golden } = recorded;
  return { text: goldenText(golden), golden: () => golden };
}

/** Parses a golden, which must be one of the replayed app. */
function goldenOfApp(path: string, text: string, app: AppAdapter | undefined): Golden {
  const golden = parseGoldenText(path, text);
  const of = goldenApp(golden);
  if (of === app?.name) return golden;
  const hint = of === undefined ? 'leave --app out' : `give the adapter of ${of} with --app`;
  throw new GoldenError(
    `${path}: is a golden of ${of ?? 'Parley'}, not of ${app?.name ?? 'Parley'}; ${hint}`,
  );
}

const recordAppGolden = async (capture: string, app: AppAdapter): Promise<CheckedGolden> => ({
  ...(await recordGoldenOf(capture, tracedBy({ app }))),
  doEnginesAgree: true,
});

/** Returns the error of replayed code that threw; throws any other error. */
function foldError(error: unknown): FoldError {
  if (error instanceof FoldError) return error;
  throw error;
}

/** Records a golden; returns `undefined` when the replayed code threw. The comparison then finds the update. */
async function recordedBy(capture: string, options: VerifyOptions): Promise<CheckedGolden | undefined> {
  const { engine, code, app } = options;
  try {
    if (app !== undefined) return await recordAppGolden(capture, app);
    if (engine !== 'fold') return await recordGolden(capture, frozenEngines(code));
    return { ...(await recordGoldenOf(capture, tracedBy(options))), doEnginesAgree: true };
  } catch (error) {
    if (error instanceof FoldError) return undefined;
    throw error;
  }
}

interface Disagreement extends RecordedGolden {
  readonly capture: string;
  readonly code: ReplayCode | undefined;
}

/** Finds the first update in which the fold differs from the store's golden. */
async function disagreement({ capture, code, golden, warnings }: Disagreement): Promise<Outcome> {
  const outcome = await compareReplay(capture, {
    traced: { engine: 'fold', ...(code && { code: frozenCode(code) }) },
    golden,
  });
  const difference = outcome.outcome === 'differs' ? outcome.difference : { state: [], end: [] };
  return { outcome: 'disagrees', difference, warnings };
}
