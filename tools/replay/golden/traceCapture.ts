import { endsSession, isFrame } from '../engine/actions.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { createFold } from '../engine/createFold.ts';
import { type StoreEngineOptions, createStoreEngine } from '../engine/createStoreEngine.ts';
import { hashReplay } from '../engine/outcome.ts';
import type { EngineOptions, Replay, ReplayState, TimedEngine } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { continuedEngine } from '../sessions/continuedEngine.ts';
import { wholeState } from '../sessions/wholeState.ts';
import { createAppTracer } from './appTracer.ts';
import type { DifferingPlace } from './differingPlace.ts';
import type { ParleyEnd } from './golden.ts';
import { type Totals, totalsOf } from './goldenState.ts';
import { type TracedStep, describedStep } from './goldenStep.ts';
import { goldenValue } from './goldenValue.ts';
import { ownForm } from './ownForm.ts';
import { type OnStep, type TraceEnd, type Tracer, emptyLists, inFold, watchConnection } from './tracer.ts';
import { watchActs } from './watchActs.ts';

/** An engine of Parley in a trace: the app's own store and queue; or the fold, which can run other code. */
export type ParleyEngine = (
  | { readonly engine: 'store'; readonly wrapReducer?: StoreEngineOptions['wrapReducer'] }
  | { readonly engine: 'fold'; readonly code?: ReplayCode }
) & {
  /** What the capture follows; by default it begins with the program. */
  readonly follows?: Followed | undefined;
};

/** The capture before, of the same run of the program. */
interface Followed {
  /** The state in which it ended. */
  readonly after: ReplayState;
  /** The name of the capture that follows, for errors. */
  readonly name: string;
}

/** The engine of a trace: the app's own store and queue; the fold, which can run other code; or that of another app's adapter. */
export type TracedEngine = ParleyEngine | { readonly engine: 'app'; readonly adapter: AppAdapter };

/** Creates a tracer of Parley's code. */
export function createTracer(traced: ParleyEngine, onStep: (step: TracedStep) => void): Tracer<Replay> {
  const code = (traced.engine === 'fold' && traced.code) || appCode;
  const ours = inFold(() => ownForm(code));
  const lists = emptyLists();
  let frame = 0;
  let totals: Totals | undefined;
  const { engine, state, differences } = inFold(() =>
    createEngine(traced, {
      onStep: (step) => {
        const totalsAfter = totalsOf(state());
        const inOurForm = { ...step, before: ours(step.before), after: ours(step.after) };
        onStep({ step: inOurForm, totalsBefore: totals ?? totalsAfter, totalsAfter });
        totals = totalsAfter;
      },
      onRejected: ({ reason, where }) =>
        void lists.rejected.push({ frame, reason, ...(where !== undefined && { where }) }),
    }),
  );
  totals = inFold(() => totalsOf(state()));
  const watches = [watchConnection(lists.connection), watchActs(lists.acts)];
  const watch = (at: number) => {
    const current = state();
    for (const watchOne of watches) watchOne(at, current);
  };
  inFold(() => watch(0));
  let last: Replay | undefined;
  const rest = takeRest(traced, engine, ours);
  return {
    take(record) {
      if (isFrame(record, 'recv')) frame++;
      return inFold(() => {
        const isTaken = engine.take(record);
        if (isTaken) watch(record.t);
        return isTaken || rest.take(record);
      });
    },
    finish() {
      const replay = inFold(() => engine.finish());
      last = { ...replay, conversation: inFold(() => ours(replay.conversation)) };
      return last;
    },
    lists,
    ended: rest.state,
    end: () =>
      inFold(() => {
        const end = endOf(last ?? engine.finish());
        return { ...lists, end, ended: rest.state(), beginning: differences?.() };
      }),
  };
}

/**
 * Replays a capture and calls `onStep` for each update. Resolves to the end of the trace and the reader's warnings.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function traceCapture(
  path: string,
  traced: TracedEngine,
  onStep: OnStep,
): Promise<TraceEnd & { readonly warnings: readonly string[] }> {
  const tracer =
    traced.engine === 'app'
      ? inFold(() => createAppTracer(traced.adapter, onStep))
      : createTracer(traced, (step) => onStep(describedStep(step)));
  const { warnings } = await replayFile(path, tracer);
  return { ...tracer.end(), warnings };
}

/** An engine, with a function that returns its current state, which is not copied. */
interface CreatedEngine {
  readonly engine: TimedEngine;
  readonly state: () => ReplayState;
  /** Of an engine that follows another capture: returns how its beginning differs from the state before. */
  readonly differences?: () => readonly DifferingPlace[];
}

function createEngine(traced: ParleyEngine, options: EngineOptions): CreatedEngine {
  const { follows } = traced;
  if (follows === undefined) return createPlainEngine(traced, options);
  let current: CreatedEngine | undefined;
  const create = (given: EngineOptions) => {
    current = createPlainEngine(traced, given);
    return current.engine;
  };
  const engine = continuedEngine({ ...follows, create, options });
  return {
    engine,
    state: () => current?.state() ?? engine.checkpoint(),
    differences: () =>
      engine.differences().map(({ path, before: expected, after: got }) => ({ path, expected, got })),
  };
}

/** Returns functions that replay the end of a session and what follows it, which are no part of its result. */
function takeRest(traced: ParleyEngine, before: TimedEngine, ours: ReturnType<typeof ownForm>) {
  let engine: TimedEngine | undefined;
  return {
    /** Returns whether the session has ended. */
    take(record: CaptureRecord): boolean {
      if (engine === undefined && !endsSession(record)) return false;
      engine ??= createPlainEngine(traced, { start: before.checkpoint(), passesEnd: true }).engine;
      return engine.take(record);
    },
    /** Returns the whole state at the end, in the form of goldens; `undefined` when the session has not ended. */
    state(): TraceEnd['ended'] {
      const state = inFold(() => engine?.finish());
      if (state === undefined) return undefined;
      const whole = wholeState({ ...state, conversation: ours(state.conversation) });
      return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, goldenValue(value)]));
    },
  };
}

/** Creates an engine that follows no other capture. */
export function createPlainEngine(traced: ParleyEngine, options: EngineOptions): CreatedEngine {
  if (traced.engine === 'store') {
    const engine = createStoreEngine({ ...options, wrapReducer: traced.wrapReducer });
    return { engine, state: engine.state };
  }
  const fold = createFold({ ...options, ...(traced.code && { code: traced.code }) });
  return { engine: fold, state: () => fold.state };
}

function endOf(replay: Replay): ParleyEnd {
  const { virtualMs, appliedUpdates } = replay;
  const snapshotFields = Object.fromEntries(
    Object.entries(replay.snapshotFields).map(([name, value]) => [name, goldenValue(value)]),
  );
  // The steps contain the arrivals.
  const { arrivals: _arrivals, ...totals } = totalsOf(replay);
  return { hash: hashReplay(replay), virtualMs, ...totals, appliedUpdates, snapshotFields };
}
