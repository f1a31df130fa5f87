import { captureTime, timeSinceLaunch } from '#shared/capture/captureTime.ts';
import { type CaptureRecord, type ReleaseRecord, isKnown } from '#shared/capture/format.ts';
import { frameBytes, isFrame } from './frames.ts';
import type { EngineOptions, StateEngine } from './replay.ts';
import type { SessionAdapter, SessionState, WaitingUpdate } from './sessionAdapter.ts';

/**
 * Creates the engine: it runs the records of a capture through the code of an app. Virtual time advances from tick to tick: each update is
 * released before the first record at or after its tick. So at a limit or at the session's end, the same updates wait as in the app.
 */
export function createEngine<State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  options: EngineOptions<State, Update> = {},
): StateEngine<State> {
  type Waiting = WaitingUpdate<Update>;
  const { until = Infinity, at = Infinity, start, passesEnd = false, onStep, onUpdate, onRejected } = options;
  let state = start ?? adapter.initialState;
  let isOver = until === 0;

  const nextUpdate = () => (isOver ? undefined : adapter.next(state));

  /** Returns the release of the next update before a record, unless a limit is before it. */
  const releaseOf = (next: Waiting | undefined, record: CaptureRecord): NextRelease | undefined => {
    if (next === undefined) return undefined;
    const launchedAt = state.queue.launchedAt ?? 0;
    return nextRelease(record, { due: captureTime(next.tick, launchedAt), launchedAt, at });
  };

  const release = ({ update, bytes, at: receivedAfter }: Waiting, tick: number) => {
    const before = state;
    const launchedAt = before.queue.launchedAt ?? 0;
    const since = timeSinceLaunch(tick, launchedAt);
    const result = released(adapter, before, since);
    ({ state } = result);
    const number = state.counts.applied + state.counts.ignored;
    if (onStep !== undefined) {
      const effect = state.counts.applied > before.counts.applied ? 'applied' : 'ignored';
      const receivedAt = captureTime(receivedAfter, launchedAt);
      const kind = adapter.kind(update);
      const notification = effect === 'applied' ? adapter.notification?.(update, state) : undefined;
      onStep({ number, receivedAt, tick, bytes, kind, update, effect, notification, before, after: state });
    }
    isOver = number >= until;
    if ('thrown' in result) throw result.thrown;
  };

  const pass = (record = END, most = Infinity): boolean => {
    for (let left = most; ; left--) {
      const next = nextUpdate();
      const due = releaseOf(next, record);
      if (next === undefined || due === undefined) return false;
      if (left === 0) return true;
      release(next, due.tick);
    }
  };

  return {
    state: () => state,
    take(record) {
      pass(record);
      if (record.t > at || (!passesEnd && adapter.endsSession?.(record) === true)) isOver = true;
      if (isOver) return false;
      const taken = adapter.take(record, state, isFrame(record, 'recv') ? frameBytes(record) : 0);
      state = reduced(adapter, state, taken.actions);
      if (taken.rejected !== undefined) onRejected?.(taken.rejected);
      if (onUpdate !== undefined && taken.update !== undefined) onUpdate(taken.update);
      return true;
    },
    pass,
    nextTick: (record = END) => releaseOf(nextUpdate(), record)?.time,
    finish() {
      pass();
      return state;
    },
  };
}

/** Returns the state after actions. */
function reduced<State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  before: State,
  actions: readonly Action[],
): State {
  let state = before;
  for (const action of actions) state = adapter.reduce(state, action);
  return state;
}

/** Returns the state after the release of the oldest update; when a reducer threw, that after the failed release, with the error. */
function released<State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  before: State,
  tick: number,
): { readonly state: State; readonly thrown?: unknown } {
  try {
    return { state: reduced(adapter, before, adapter.release(before, tick)) };
  } catch (thrown) {
    if (adapter.failedRelease === undefined) throw thrown;
    return { state: reduced(adapter, before, adapter.failedRelease(before, tick)), thrown };
  }
}

/** The end of a capture, as a record: all waiting updates are released before it. */
export const END: CaptureRecord = { t: Infinity, type: 'end' };

/** The oldest waiting update of an engine. Times are milliseconds since the start of the recording. */
interface WaitingRelease {
  /** The tick that follows from its time of receipt and the tick before it. */
  readonly due: number;
  readonly launchedAt: number;
  /** The end of the replay. */
  readonly at: number;
}

/** A release in the past of a record. Times are milliseconds since the start of the recording. */
interface NextRelease {
  /** When the update is released, and the tick that counts as its time. They differ only when the program was busy. */
  readonly time: number;
  readonly tick: number;
}

/**
 * Returns the release of the oldest waiting update, if it comes before `record`, the next one: at its tick, or at a `release` record, because no tick
 * ran from the record's `due` until then. A record that a session cannot contain does not delay an update.
 */
function nextRelease(record: CaptureRecord, waiting: WaitingRelease): NextRelease | undefined {
  const { due, launchedAt, at } = waiting;
  const late = isRelease(record) ? captureTime(record.tick, launchedAt) : -1;
  const isLate =
    isRelease(record) && captureTime(record.due, launchedAt) <= due && due <= late && late <= record.t;
  const release = isLate ? { time: record.t, tick: late } : { time: due, tick: due };
  return release.time > Math.min(record.t, at) ? undefined : release;
}

const isRelease = (record: CaptureRecord): record is ReleaseRecord =>
  isKnown(record) && record.type === 'release';
