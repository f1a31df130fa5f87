import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type Change, isSameJson } from '../diff/valueDiff.ts';
import { type StateEngine, type Step, createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import { replayFile } from '../engine/replayFile.ts';
import type { Notification, Replayed, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { reportsOf } from '../engine/stateReports.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { continuedEngine } from '../engine/continuedEngine.ts';
import { type DifferingPlace, goldenValue, recordedChanges } from './changes.ts';
import {
  type ActsChange,
  type ConnectionChange,
  GOLDEN_FORMAT,
  GOLDEN_VERSION,
  type Golden,
  type GoldenEnd,
  type GoldenStep,
  type Rejection,
} from './golden.ts';
import { inSurroundings } from './surroundings.ts';

/** What a trace replays. */
export interface Traced extends Replayed {
  /** What the capture follows; by default it begins with the program. */
  readonly follows?: Followed | undefined;
}

/** The capture before, of the same run of the program. */
interface Followed {
  /** The state in which it ended. */
  readonly after: SessionState;
  /** The name of the capture that follows, for errors. */
  readonly name: string;
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
    const { warnings, beginning, end, lists, ended } = await traceCapture(path, traced, onStep);
    const head = { format: GOLDEN_FORMAT, version: GOLDEN_VERSION } as const;
    return { golden: { ...head, ...end, ...lists, steps, ...(ended && { ended }) }, warnings, beginning };
  } catch (error) {
    if (error instanceof FoldError) error.steps = steps;
    throw error;
  }
}

/** Replays a capture until an update, and returns the whole state before it, to which the paths of the golden's changes refer. */
export async function stateBeforeStep(path: string, traced: Traced, index: number): Promise<object> {
  const { view, totals } = reportsOf(traced.adapter);
  let found: object = {};
  let count = 0;
  const replay = traceCapture(path, traced, ({ before }, last) => {
    if (count++ === index) found = { ...goldenFields(view(before)), ...totals(last) };
  });
  await orThrown(replay);
  return found;
}

/** Is called for each update, with the state after the update before: totals may have changed since then. */
type OnStep = (step: Step<SessionState>, last: SessionState) => void;

/** Replays a capture; resolves to the parts of its golden other than the updates. */
async function traceCapture(path: string, traced: Traced, onStep: OnStep) {
  const tracer = inFold(() => createTracer(traced, onStep));
  const { warnings } = await replayFile(path, tracer);
  return { ...inFold(tracer.end), warnings };
}

/** Runs replayed code; @throws {FoldError} when it throws; the error about a capture stays as it is. */
function inFold<T>(run: () => T): T {
  try {
    return inSurroundings(run);
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new FoldError(text, { cause: error });
  }
}

/** Creates an engine that reports each update, and collects the other parts of a golden. */
function createTracer({ adapter, app, follows }: Traced, onStep: OnStep) {
  const reports = reportsOf(adapter);
  const lists = {
    connection: [] as ConnectionChange[],
    acts: [] as ActsChange[],
    rejected: [] as Rejection[],
  };
  const notifications: Notification[] = [];
  let frame = 0;
  /** The state after the update before. */
  let last = adapter.initialState;
  const options = {
    onNotification: (notification: Notification) => void notifications.push(notification),
    onStep(step: Step<SessionState>) {
      onStep(step, last);
      last = step.after;
    },
    onRejected: ({ reason, where }: Omit<Rejection, 'frame'>) =>
      void lists.rejected.push({ frame, reason, ...(where !== undefined && { where }) }),
  };
  const continued = follows && continuedEngine({ ...follows, adapter, options });
  const engine = continued ?? createEngine(adapter, options);
  const addActs = (at: number, before: SessionState | undefined, after: SessionState) => {
    const changes = before === after ? [] : reports.actsChanges(before, after);
    if (changes.length > 0) lists.acts.push({ at, ...recordedChanges(changes) });
  };
  last = engine.state();
  addActs(0, undefined, last);
  const watch = watchConnection(lists.connection);
  watch(0, last);
  const rest = takeRest(adapter, engine);
  const take = (record: CaptureRecord): boolean => {
    engine.pass(record);
    const before = engine.state();
    if (!engine.take(record)) return rest.take(record);
    addActs(record.t, before, engine.state());
    watch(record.t, engine.state());
    return true;
  };
  return {
    /** @throws {FoldError} when the replayed code throws. */
    take(record: CaptureRecord): boolean {
      if (isFrame(record, 'recv')) frame++;
      return inFold(() => take(record));
    },
    finish: () => inFold(engine.finish),
    /** Returns the end of the trace, after `finish`. */
    end() {
      const state = engine.state();
      const numbers = { hash: reports.hash(state, notifications), virtualMs: state.queue.lastTick };
      const end = { ...(app !== undefined && { app }), ...numbers, ...goldenFields(reports.end(state)) };
      const ended = rest.finish();
      return {
        lists,
        // The app's part is checked with the golden.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        end: end as unknown as GoldenEnd,
        ended: ended && goldenFields(reports.whole(ended)),
        beginning: continued && placesOf(continued.differences()),
      };
    },
  };
}

const placesOf = (changes: readonly Change[]): DifferingPlace[] =>
  changes.map(({ path, before: expected, after: got }) => ({ path, expected, got }));

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

/** Returns functions that replay the end of a session and what follows it, which are no part of its result. */
function takeRest(adapter: SessionAdapter, before: StateEngine<SessionState>) {
  let engine: StateEngine<SessionState> | undefined;
  return {
    /** Returns whether the session has ended. */
    take(record: CaptureRecord): boolean {
      if (engine === undefined && adapter.endsSession?.(record) !== true) return false;
      engine ??= createEngine(adapter, { start: before.state(), passesEnd: true });
      return engine.take(record);
    },
    /** Returns the state at the end; `undefined` when the session has not ended. */
    finish: () => engine?.finish(),
  };
}
