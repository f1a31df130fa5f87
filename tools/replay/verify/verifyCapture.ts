import { performance } from 'node:perf_hooks';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { plainAdapter } from '../adapter/plainAdapter.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type Golden, GoldenError, type GoldenStep, goldenApp } from '../golden/golden.ts';
import { goldenPath, parseGoldenText, readGoldenText, writeGolden } from '../golden/goldenFile.ts';
import { goldenText } from '../golden/goldenText.ts';
import { type RecordedGolden, recordGolden } from '../golden/recordGolden.ts';
import type { Traced, TracedParley } from '../golden/traceCapture.ts';
import { FoldError } from '../golden/tracer.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { capturesBefore } from '../sessions/capturesBefore.ts';
import { thrownText } from '../workers/thrownError.ts';
import type { CaptureResult } from './resultRecord.ts';
import { type CapturesBefore, compareAfter, followingTraced } from './compareAfter.ts';
import {
  type Outcome,
  type ThrownReplay,
  compareReplay,
  compareWithThrown,
  sameOutcome,
} from './compareReplay.ts';
import { type Mutation, examinedApp, examinedParley, findMutation } from './mutation/findMutation.ts';
import { findQueueFault } from './mutation/findQueueFault.ts';
import { frozenAdapter, frozenParley } from './mutation/frozen.ts';
import { recordTwice } from './recordTwice.ts';

/** What a capture is compared with. States are frozen: a reducer that mutates one throws. */
export interface VerifyOptions {
  /** Other code than the app's own. */
  readonly code?: ReplayCode;
  /** Another revision's code; its results are expected instead of the golden. */
  readonly base?: ReplayCode;
  /** The adapter of another app, whose frames are replayed instead of Parley's. */
  readonly app?: AppAdapter;
  /** Another revision's adapter; its results are expected instead of the golden. */
  readonly appBase?: AppAdapter;
  /** Whether to write the golden instead of comparing with it. */
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
  const { app, base, code, before = capturesBefore(capture) } = options;
  const [first, ...others] = before;
  if (first === undefined || app !== undefined || (outcome !== 'same' && outcome !== 'written'))
    return undefined;
  const captures: CapturesBefore = [first, ...others];
  const golden = await goldenAfter(capture, captures, base);
  return compareAfter(capture, captures, { golden, traced: frozenOf(code) });
}

/** Returns the expected result of a capture after others: its golden, or the result of another revision, after the same captures. */
async function goldenAfter(
  capture: string,
  before: CapturesBefore,
  base: ReplayCode | undefined,
): Promise<Golden> {
  const path = goldenPath(capture);
  if (base === undefined) return goldenOfApp(path, await readGoldenText(path), undefined);
  const traced = await followingTraced(capture, tracedOf(base), before);
  return (await recordGolden(capture, traced)).golden;
}

/** Adds the cause of a failure, if it is found: the mutation of a state, or a fault of the queue. */
async function withCause(capture: string, options: VerifyOptions, outcome: Outcome): Promise<Outcome> {
  if (outcome.outcome !== 'differs') return outcome;
  const { difference } = outcome;
  const mutated = await mutationIn(capture, options);
  if (mutated !== undefined) return { ...outcome, difference: { ...difference, mutated } };
  const queue =
    options.app === undefined ? await findQueueFault(capture, parleyAdapter(options.code)) : undefined;
  return queue === undefined ? outcome : { ...outcome, difference: { ...difference, queue } };
}

const mutationIn = (capture: string, { code, app }: VerifyOptions): Promise<Mutation | undefined> =>
  app === undefined
    ? findMutation(capture, examinedParley(parleyAdapter(code)))
    : findMutation(capture, examinedApp(app));

/** Describes an error in one line with the file's name. No error of one capture may hide the results of the others. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the replayed code threw ${thrownText(error.cause)}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

async function update(capture: string, options: VerifyOptions): Promise<Outcome> {
  const { golden, warnings } = await recordTwice(capture, () => recordGolden(capture, tracedBy(options)));
  return { outcome: 'written', golden: await writeGolden(capture, golden), warnings };
}

/** Compares a replay with its golden. The same golden text is `same`; otherwise the golden's content decides. */
async function check(capture: string, options: VerifyOptions): Promise<Outcome> {
  const traced = tracedBy(options);
  // First the capture: one that is missing has no golden either.
  const recorded = await recordedBy(capture, traced);
  const expected = await expectedResult(capture, options);
  if ('thrown' in expected) return compareWithThrown(capture, traced, expected);
  const isSame = recorded !== undefined && goldenText(recorded.golden) === expected.text;
  return isSame
    ? sameOutcome(recorded.golden, recorded.warnings)
    : compareReplay(capture, { traced, golden: expected.golden(), recorded: recorded?.golden });
}

/** Returns what is compared. */
const tracedBy = ({ code, app }: VerifyOptions): Traced =>
  app === undefined ? frozenOf(code) : { app: frozenAdapter(plainAdapter(app)) };

/** Returns Parley with frozen states. */
const frozenOf = (code: ReplayCode | undefined): TracedParley => {
  const traced = tracedOf(code);
  return { ...traced, parley: frozenParley(traced.parley) };
};

const tracedOf = (code: ReplayCode = appCode): TracedParley => ({ parley: parleyAdapter(code), code });

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
  const traced = appBase === undefined ? tracedOf(base) : tracedBy({ app: appBase });
  const recorded = await recordGolden(capture, traced, steps).catch(foldError);
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
