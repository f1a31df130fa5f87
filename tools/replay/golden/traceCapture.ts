import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../diff/valueDiff.ts';
import { type Engine, type EngineOptions, type Step, createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import { preparedFor, replayFile } from '../engine/replayFile.ts';
import type { Notification, Replayed, SessionState } from '../engine/sessionAdapter.ts';
import { reportsOf } from '../engine/stateReports.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { continuedEngine } from '../engine/continuedEngine.ts';
import { type DifferingPlace, goldenValue, recordedChanges } from './changes.ts';
import { type ConnectionChange, GOLDEN, type Golden, GoldenError, type GoldenStep } from './golden.ts';
import { thrownText } from '../workers/thrownError.ts';
import { enterSurroundings } from './surroundings.ts';

/** What a trace replays. */
export interface Traced extends Replayed {
  /**
   * What the capture follows: the state in which the capture before it, of the same run of the program, ended, and its own name, for errors. By
   * default it begins with the program.
   */
  readonly follows?: { readonly after: SessionState; readonly name: string } | undefined;
}

/** A capture's replay in the form of goldens. */
export interface RecordedGolden {
  readonly golden: Golden;
  /** The warnings of the capture's reader. */
  readonly warnings: readonly string[];
  /** How the state in which the capture before this one ended differs from the beginning of this one; missing when it follows none. */
  readonly beginning?: readonly DifferingPlace[] | undefined;
}

/** The replayed code threw an error: this is a difference, not a broken capture. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  /** The updates before the error. */
  steps: readonly GoldenStep[] = [];
}

/** Describes an error of a replay in one line with the file's name. No error of one capture may hide the results of the others. */
export function replayProblem(capture: string, error: unknown): string {
  if (error instanceof CaptureError || error instanceof GoldenError) return error.message;
  if (error instanceof FoldError) return `${capture}: the replayed code threw ${thrownText(error.cause)}`;
  return `${capture}: ${String(error).split('\n')[0]}`;
}

/** Resolves to the error of replayed code as a value; rejects with any other error. */
export const orThrown = <T>(replay: Promise<T>): Promise<T | FoldError> =>
  replay.catch((error: unknown) => {
    if (error instanceof FoldError) return error;
    throw error;
  });

/**
 * Replays a capture, and records its golden.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function recordGolden(path: string, traced: Traced): Promise<RecordedGolden> {
  const { viewChanges, totalsChanges } = reportsOf(traced.adapter);
  const steps: GoldenStep[] = [];
  const onStep: OnStep = ({ number, tick, kind, effect, notification, before, after }, last) =>
    void steps.push({
      number,
      tick,
      kind,
      effect,
      ...recordedChanges([...viewChanges(before, after), ...totalsChanges(last, after)]),
      ...(notification && { notification: { ...notification } }),
    });
  try {
    const { warnings, beginning, end, ended } = await traceCapture(path, traced, onStep);
    // The app's part is checked when the golden is read.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const golden = { ...GOLDEN, ...end, steps, ...(ended && { ended }) } as unknown as Golden;
    return { golden, warnings, beginning };
  } catch (error) {
    if (error instanceof FoldError) error.steps = steps;
    throw error;
  }
}

/** Returns a function that replays a capture until an update, and returns the whole state before it, to which the paths of the golden's changes refer. */
export const stateBeforeStep = (path: string, traced: Traced) => async (index: number) => {
  const { view, totals } = reportsOf(traced.adapter);
  let found: object = {};
  let count = 0;
  const replay = traceCapture(path, traced, ({ before }, last) => {
    if (count++ === index) found = { ...goldenFields(view(before)), ...totals(last) };
  });
  await orThrown(replay);
  return found;
};

/** Is called for each update, with the state after the update before: totals may have changed since then. */
type OnStep = (step: Step<SessionState>, last: SessionState) => void;

/** Replays a capture; resolves to the parts of its golden other than the updates. @throws {FoldError} when the replayed code throws. */
async function traceCapture(path: string, replayed: Traced, onStep: OnStep) {
  const prepared = await prepareInFold(path, replayed);
  const traced = { ...replayed, ...prepared };
  const tracer = inFold(() => createTracer(traced, onStep));
  const { warnings } = await replayFile(path, tracer.engine, {
    async drive(batches) {
      for await (const batch of batches)
        for (const record of batch) if (!inFold(() => tracer.take(record))) return;
      inFold(tracer.engine.finish);
    },
  });
  return { ...inFold(tracer.end), warnings: [...warnings, ...prepared.warnings] };
}

/** Prepares an app for a capture. @throws {FoldError} when its code throws. */
async function prepareInFold(path: string, replayed: Traced) {
  const leave = enterSurroundings();
  try {
    return await preparedFor(path, replayed);
  } catch (error) {
    throw foldError(error);
  } finally {
    leave();
  }
}

/** Runs replayed code; @throws {FoldError} when it throws; the error about a capture stays as it is. */
function inFold<T>(run: () => T): T {
  const leave = enterSurroundings();
  try {
    return run();
  } catch (error) {
    throw foldError(error);
  } finally {
    leave();
  }
}

function foldError(error: unknown): unknown {
  if (error instanceof CaptureError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new FoldError(text, { cause: error });
}

/** Creates an engine that reports each update, and collects the other parts of a golden. */
function createTracer({ adapter, app, follows }: Traced, onStep: OnStep) {
  const reports = reportsOf(adapter);
  const lists: Pick<Golden, 'connection' | 'acts' | 'rejected'> = { connection: [], acts: [], rejected: [] };
  const notifications: Notification[] = [];
  let frame = 0;
  /** The state after the update before. */
  let last = adapter.initialState;
  /** Replays the end of the session and what follows it, which are no part of its result. */
  let rest: Engine<SessionState> | undefined;
  const options: EngineOptions<SessionState, unknown> = {
    onNotification: (notification) => void notifications.push(notification),
    onStep(step) {
      onStep(step, last);
      last = step.after;
    },
    onRejected: ({ reason, where }) =>
      void lists.rejected.push({ frame, reason, ...(where !== undefined && { where }) }),
  };
  const continued = follows && continuedEngine({ ...follows, adapter, options });
  const engine = continued ?? createEngine(adapter, options);
  const watch = watchConnection(lists.connection);
  const add = (at: number, before: SessionState | undefined, after: SessionState) => {
    const changes = before === after ? [] : reports.actsChanges(before, after);
    if (changes.length > 0) lists.acts.push({ at, ...recordedChanges(changes) });
    watch(at, after);
  };
  last = engine.state();
  add(0, undefined, last);
  return {
    engine,
    /** Takes the next record; returns `false` after a limit. */
    take(record: CaptureRecord): boolean {
      if (rest !== undefined) return rest.take(record);
      if (isFrame(record, 'recv')) frame++;
      engine.pass(record);
      const before = engine.state();
      if (engine.take(record)) {
        add(record.t, before, engine.state());
        return true;
      }
      rest = createEngine(adapter, { start: engine.state(), passesEnd: true });
      return rest.take(record);
    },
    /** Returns the parts of the golden other than the updates, and how the beginning differs. */
    end() {
      const state = engine.state();
      const numbers = { hash: reports.hash(state, notifications), virtualMs: state.queue.lastTick };
      const fields = goldenFields(reports.end(state));
      const ended = rest?.finish();
      const differences = continued?.differences();
      return {
        end: { ...(app !== undefined && { app }), ...numbers, ...fields, ...lists },
        ended: ended && goldenFields(reports.whole(ended)),
        beginning: differences?.map(({ path, before, after }) => ({ path, expected: before, got: after })),
      };
    },
  };
}

const goldenFields = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, goldenValue(value)]));

/** Returns a function that adds the connection to a list when it has changed. */
export function watchConnection(list: ConnectionChange[]) {
  let last: Omit<ConnectionChange, 'at'> | undefined;
  return (at: number, { connection }: { readonly connection: Omit<ConnectionChange, 'at'> }) => {
    if (connection === last) return;
    const isNew = last === undefined || !isSameJson(last, connection);
    last = connection;
    if (isNew) list.push({ at, ...connection });
  };
}
