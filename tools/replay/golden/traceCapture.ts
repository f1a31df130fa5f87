import type { CaptureRecord } from '#shared/capture/format.ts';
import type { ParleyAdapter } from '#shared/replay/adapter.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { endsSession } from '#shared/replay/records.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { isFrame } from '../engine/frames.ts';
import { hashReplay } from '../engine/outcome.ts';
import {
  type ParleyEngine,
  type ParleyOptions,
  type Replay,
  type ReplayState,
  createParleyEngine,
} from '../engine/parley.ts';
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

/** Parley's code in a trace. */
export interface TracedParley {
  readonly parley: ParleyAdapter;
  /** The code of another revision, of which the adapter is made: its conversations may have another form. */
  readonly code?: ReplayCode | undefined;
  /** What the capture follows; by default it begins with the program. */
  readonly follows?: Followed | undefined;
}

/** The capture before, of the same run of the program. */
interface Followed {
  /** The state in which it ended. */
  readonly after: ReplayState;
  /** The name of the capture that follows, for errors. */
  readonly name: string;
}

/** What a trace replays: Parley, or another app with its adapter. */
export type Traced = TracedParley | { readonly app: AppAdapter };

/** Creates a tracer of Parley's code. */
function createTracer(traced: TracedParley, onStep: (step: TracedStep) => void): Tracer<Replay> {
  const ours = inFold(() => ownForm(traced.code ?? appCode));
  const lists = emptyLists();
  let frame = 0;
  let totals: Totals | undefined;
  const { engine, differences } = inFold(() =>
    createTracedEngine(traced, {
      onStep: (step) => {
        const totalsAfter = totalsOf(step.after);
        const [before, after] = [ours(step.before.conversation), ours(step.after.conversation)];
        onStep({ step, before, after, totalsBefore: totals ?? totalsAfter, totalsAfter });
        totals = totalsAfter;
      },
      onRejected: ({ reason, where }) =>
        void lists.rejected.push({ frame, reason, ...(where !== undefined && { where }) }),
    }),
  );
  totals = inFold(() => totalsOf(engine.state()));
  const watches = [watchConnection(lists.connection), watchActs(lists.acts)];
  const watch = (at: number) => {
    const current = engine.state();
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
  traced: Traced,
  onStep: OnStep,
): Promise<TraceEnd & { readonly warnings: readonly string[] }> {
  const tracer =
    'app' in traced
      ? inFold(() => createAppTracer(traced.app, onStep))
      : createTracer(traced, (step) => onStep(describedStep(step)));
  const { warnings } = await replayFile(path, tracer);
  return { ...tracer.end(), warnings };
}

/** An engine; one that follows another capture returns how its beginning differs from the state before. */
interface CreatedEngine {
  readonly engine: ParleyEngine;
  readonly differences?: () => readonly DifferingPlace[];
}

function createTracedEngine(
  { parley: adapter, follows }: TracedParley,
  options: ParleyOptions,
): CreatedEngine {
  const create = (given: ParleyOptions) => createParleyEngine({ ...given, adapter });
  if (follows === undefined) return { engine: create(options) };
  const engine = continuedEngine({ ...follows, create, options });
  return {
    engine,
    differences: () =>
      engine.differences().map(({ path, before: expected, after: got }) => ({ path, expected, got })),
  };
}

/** Returns functions that replay the end of a session and what follows it, which are no part of its result. */
function takeRest({ parley: adapter }: TracedParley, before: ParleyEngine, ours: ReturnType<typeof ownForm>) {
  let engine: ParleyEngine | undefined;
  return {
    /** Returns whether the session has ended. */
    take(record: CaptureRecord): boolean {
      if (engine === undefined && !endsSession(record)) return false;
      engine ??= createParleyEngine({ adapter, start: before.state(), passesEnd: true });
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

function endOf(replay: Replay): ParleyEnd {
  const { virtualMs, appliedUpdates } = replay;
  const snapshotFields = Object.fromEntries(
    Object.entries(replay.snapshotFields).map(([name, value]) => [name, goldenValue(value)]),
  );
  // The steps contain the arrivals.
  const { arrivals: _arrivals, ...totals } = totalsOf(replay);
  return { hash: hashReplay(replay), virtualMs, ...totals, appliedUpdates, snapshotFields };
}
