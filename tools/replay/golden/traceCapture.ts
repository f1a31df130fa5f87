import type { CaptureRecord } from '#shared/capture/format.ts';
import { isFrame } from '../engine/actions.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { createFold } from '../engine/createFold.ts';
import { createStoreEngine } from '../engine/createStoreEngine.ts';
import { hashReplay } from '../engine/outcome.ts';
import type { Engine, EngineOptions, Replay, ReplayState } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { isSameJson } from '../diff/isSameJson.ts';
import type { ActsChange, ConnectionChange, GoldenEnd, Rejection } from './golden.ts';
import { type Totals, totalsOf } from './goldenState.ts';
import type { TracedStep } from './goldenStep.ts';
import { goldenValue } from './goldenValue.ts';
import { ownForm } from './ownForm.ts';
import { watchActs } from './watchActs.ts';

/** The replayed code threw an error: this is a difference, not a broken capture. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
}

/** The engine of a trace: the app's own store and queue, or the fold, which can run other code. */
export type TracedEngine =
  | { readonly engine: 'store' }
  | { readonly engine: 'fold'; readonly code?: ReplayCode };

/** The changes between updates, in the form of goldens. */
interface TraceLists {
  readonly connection: readonly ConnectionChange[];
  readonly acts: readonly ActsChange[];
  readonly rejected: readonly Rejection[];
}

/** The end of a capture's replay, in the form of goldens. */
export interface TraceEnd extends TraceLists {
  readonly end: GoldenEnd;
}

/** Is called for each update. */
export type OnStep = (step: TracedStep) => void;

/** An engine that calls `onStep` for each update, and collects the other parts of a golden. */
export interface Tracer {
  /** @throws {FoldError} when the replayed code throws. */
  take(record: CaptureRecord): boolean;
  /** @throws {FoldError} when the replayed code throws. */
  finish(): Replay;
  /** They grow while records are taken. */
  readonly lists: TraceLists;
  /** Returns the end of the trace, after `finish`. */
  end(): TraceEnd;
}

/** Creates a tracer. */
export function createTracer(traced: TracedEngine, onStep: OnStep): Tracer {
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
  totals = totalsOf(state());
  const watches = [watchConnection(lists.connection), watchActs(lists.acts)];
  const watch = (at: number) => {
    const current = state();
    for (const watchOne of watches) watchOne(at, current);
  };
  watch(0);
  let last: Replay | undefined;
  return {
    take(record) {
      if (isFrame(record, 'recv')) frame++;
      const isTaken = inFold(() => engine.take(record));
      watch(record.t);
      return isTaken;
    },
    finish() {
      const replay = inFold(() => engine.finish());
      last = { ...replay, conversation: inFold(() => ours(replay.conversation)) };
      return last;
    },
    lists,
    end: () => ({ ...lists, end: endOf(last ?? engine.finish()) }),
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
  const tracer = createTracer(traced, onStep);
  const { warnings } = await replayFile(path, tracer);
  return { ...tracer.end(), warnings };
}

/** Creates the engine, with a function that returns its current state. */
function createEngine(
  traced: TracedEngine,
  options: EngineOptions,
): { readonly engine: Engine; readonly state: () => ReplayState } {
  if (traced.engine === 'store') {
    const engine = createStoreEngine(options);
    return { engine, state: engine.state };
  }
  const fold = createFold({ ...options, ...(traced.code && { code: traced.code }) });
  return { engine: fold, state: () => fold.state };
}

/** Returns a function that adds the connection to a list when it has changed. */
function watchConnection(list: ConnectionChange[]) {
  let last: ReplayState['connection'] | undefined;
  return (at: number, { connection }: ReplayState) => {
    if (connection === last) return;
    const isNew = last === undefined || !isSameJson(connection, last);
    last = connection;
    if (isNew) list.push({ at, ...connection });
  };
}

function endOf(replay: Replay): GoldenEnd {
  const { virtualMs, appliedUpdates } = replay;
  const snapshotFields = Object.fromEntries(
    Object.entries(replay.snapshotFields).map(([name, value]) => [name, goldenValue(value)]),
  );
  return { hash: hashReplay(replay), virtualMs, ...totalsOf(replay), appliedUpdates, snapshotFields };
}

function inFold<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new FoldError(text, { cause: error });
  }
}
