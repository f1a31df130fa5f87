import { isFrame } from '../engine/actions.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { createFold } from '../engine/createFold.ts';
import { type StoreEngineOptions, createStoreEngine } from '../engine/createStoreEngine.ts';
import { hashReplay } from '../engine/outcome.ts';
import type { Engine, EngineOptions, Replay, ReplayState } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { createAppTracer } from './appTracer.ts';
import type { ActsChange, ConnectionChange, ParleyEnd, Rejection } from './golden.ts';
import { type Totals, totalsOf } from './goldenState.ts';
import { type TracedStep, describedStep } from './goldenStep.ts';
import { goldenValue } from './goldenValue.ts';
import { ownForm } from './ownForm.ts';
import { type OnStep, type TraceEnd, type Tracer, inFold, watchConnection } from './tracer.ts';
import { watchActs } from './watchActs.ts';

type ParleyEngine =
  | { readonly engine: 'store'; readonly wrapReducer?: StoreEngineOptions['wrapReducer'] }
  | { readonly engine: 'fold'; readonly code?: ReplayCode };

/** The engine of a trace: the app's own store and queue; the fold, which can run other code; or that of another app's adapter. */
export type TracedEngine = ParleyEngine | { readonly engine: 'app'; readonly adapter: AppAdapter };

/** Creates a tracer of Parley's code. */
export function createTracer(traced: ParleyEngine, onStep: (step: TracedStep) => void): Tracer<Replay> {
  const code = (traced.engine === 'fold' && traced.code) || appCode;
  const ours = inFold(() => ownForm(code));
  const lists = {
    connection: [] as ConnectionChange[],
    acts: [] as ActsChange[],
    rejected: [] as Rejection[],
  };
  let frame = 0;
  let totals: Totals | undefined;
  const { engine, state } = inFold(() =>
    createEngine(traced, {
      onStep: (step) => {
        const totalsAfter = totalsOf(state());
        const inOurForm = { ...step, before: ours(step.before), after: ours(step.after) };
        const totalsBefore = totals ?? totalsAfter;
        totals = totalsAfter;
        onStep({ step: inOurForm, totalsBefore, totalsAfter });
      },
      onRejected: ({ reason, where }) =>
        void lists.rejected.push(where === undefined ? { frame, reason } : { frame, reason, where }),
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
  return {
    take(record) {
      if (isFrame(record, 'recv')) frame++;
      return inFold(() => {
        const isTaken = engine.take(record);
        watch(record.t);
        return isTaken;
      });
    },
    finish() {
      const replay = inFold(() => engine.finish());
      last = { ...replay, conversation: inFold(() => ours(replay.conversation)) };
      return last;
    },
    lists,
    end: () => inFold(() => ({ ...lists, end: endOf(last ?? engine.finish()) })),
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

/** Creates the engine, with a function that returns its current state. */
function createEngine(
  traced: ParleyEngine,
  options: EngineOptions,
): { readonly engine: Engine; readonly state: () => ReplayState } {
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
