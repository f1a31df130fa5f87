import {
  captureTime,
  timeSinceLaunch,
  type CaptureRecord,
  type ReleaseRecord,
} from '#shared/capture/captureFormat.ts';
import { frameBytes, isFrame } from './frames.ts';
import type {
  Notification,
  Rejection,
  SessionAdapter,
  SessionState,
  WaitingUpdate,
} from './sessionAdapter.ts';

/**
 * Creates the engine: it runs the records of a capture through the code of an app. Virtual time advances from tick to tick: each update is
 * released before the first record at or after its tick. So at a limit or at the session's end, the same updates wait as in the app.
 */
export function createEngine<State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  options: EngineOptions<State, Update> = {},
): Engine<State> {
  const { until = Infinity, at = Infinity, start, passesEnd = false } = options;
  const { onNotification, onStep, onUpdate, onRejected } = options;
  let state = start ?? adapter.initialState;
  let isOver = until === 0;

  /** Returns the release of the next update before a record, unless a limit is before it. `time` is when, `tick` counts as its time. */
  const nextRelease = (record: CaptureRecord) => {
    const waiting = isOver ? undefined : adapter.next(state);
    if (waiting === undefined) return undefined;
    const launchedAt = state.queue.launchedAt ?? 0;
    const due = captureTime(waiting.tick, launchedAt);
    const late = isRelease(record) ? lateTick(record, due, launchedAt) : undefined;
    const time = late === undefined ? due : record.t;
    return time > record.t || time > at ? undefined : { waiting, time, tick: late ?? due };
  };

  const release = (waiting: WaitingUpdate<Update>, tick: number) => {
    const before = state;
    const result = released(adapter, before, timeSinceLaunch(tick, before.queue.launchedAt ?? 0));
    ({ state } = result);
    const notification = isApplied(before, state) ? adapter.notification?.(waiting.update, state) : undefined;
    if (notification !== undefined) onNotification?.(notification);
    onStep?.(stepOf(adapter, waiting, { tick, notification, before, after: state }));
    isOver = state.counts.applied + state.counts.ignored >= until;
    if ('thrown' in result) throw result.thrown;
  };

  const pass = (record = END, most = Infinity): boolean => {
    for (let left = most; ; left--) {
      const next = nextRelease(record);
      if (next === undefined) return false;
      if (left === 0) return true;
      release(next.waiting, next.tick);
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
      if (taken.update !== undefined) onUpdate?.(taken.update);
      return true;
    },
    pass,
    nextTick: (record = END) => nextRelease(record)?.time,
    finish() {
      pass();
      return state;
    },
  };
}

const isRelease = (record: CaptureRecord): record is ReleaseRecord => record.type === 'release';

const isApplied = (before: SessionState, after: SessionState): boolean =>
  after.counts.applied > before.counts.applied;

/** An adapter may return a kind that is no text, which a report could not contain. */
const textOf = (kind: unknown): string => String(kind);

/** Describes the release of an update. A literal: spreads take ten times as long. */
const stepOf = <State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  { update, bytes, at, record }: WaitingUpdate<Update>,
  { tick, notification, before, after }: Pick<Step<State>, 'tick' | 'notification' | 'before' | 'after'>,
): Step<State, Update> => ({
  number: after.counts.applied + after.counts.ignored,
  record,
  receivedAt: captureTime(at, before.queue.launchedAt ?? 0),
  tick,
  bytes,
  kind: textOf(adapter.kind(update)),
  update,
  effect: isApplied(before, after) ? 'applied' : 'ignored',
  notification,
  before,
  after,
});

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

/**
 * Returns the tick that counts as the time of an update which is due at a tick and was released at the next record, because no tick ran from the
 * record's `due` until then; `undefined` when the record is not about this update. A record that a session cannot contain does not delay an update.
 */
function lateTick(record: ReleaseRecord, due: number, launchedAt: number): number | undefined {
  const late = captureTime(record.tick, launchedAt);
  const isLate = captureTime(record.due, launchedAt) <= due && due <= late && late <= record.t;
  return isLate ? late : undefined;
}

/** The effect of one update at its tick. */
export interface Step<State = unknown, Update = unknown> {
  /** The update's number, from 1. */
  readonly number: number;
  /** The index of the record that caused it; when missing, that of the frame of this number. */
  readonly record: number | undefined;
  /** The times of its frame and of its tick, milliseconds since the start of the recording. */
  readonly receivedAt: number;
  readonly tick: number;
  /** The size of its frame. */
  readonly bytes: number;
  readonly kind: string;
  readonly update: Update;
  readonly effect: 'applied' | 'ignored';
  /** The text of the notification that it showed. */
  readonly notification: Notification | undefined;
  readonly before: State;
  readonly after: State;
}

/** Where a replay stops early. */
export interface Limits {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** Stops at this time, milliseconds since the start of the recording; a tick at exactly this time still runs. */
  readonly at?: number | undefined;
}

export interface EngineOptions<State, Update> extends Limits {
  /** The state from which the engine continues; by default the beginning of a session. */
  readonly start?: State | undefined;
  /** Continues after the end of the session, as the program does; by default the engine stops before it. */
  readonly passesEnd?: boolean | undefined;
  /** Is called for each notification that an update shows. */
  readonly onNotification?: ((notification: Notification) => void) | undefined;
  /** Is called for each update at its tick. */
  readonly onStep?: ((step: Step<State, Update>) => void) | undefined;
  /** Is called for each update when its frame is received. */
  readonly onUpdate?: ((update: Update) => void) | undefined;
  /** Is called for each received frame that the decoder rejects. */
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
}

/** Runs a capture through the code of an app. The caller can advance its virtual time in pieces. */
export interface Engine<State, Result = State> {
  /** Takes the next record, in order. Returns `false` after a limit: all further records are ignored. */
  take(record: CaptureRecord): boolean;
  /** Releases the updates that were released before a record (by default: all), but at most `most`; returns `true` when there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean;
  /** Returns when the next update before a record (by default: the end) is released; `undefined` when none is. */
  nextTick(record?: CaptureRecord): number | undefined;
  /** Returns the current state, which is never changed: from any state another engine can continue. */
  state(): State;
  /** Advances the time until no update waits, and returns the result. Updates still wait after a limit, or after the end of the session. */
  finish(): Result;
}
