import { captureTime, timeSinceLaunch } from '#shared/capture/captureTime.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { frameBytes, isFrame } from './frames.ts';
import { END, type NextRelease, nextRelease } from './nextRelease.ts';
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
    const { counts } = state;
    const number = counts.applied + counts.ignored;
    if (onStep !== undefined) {
      const effect = counts.applied > before.counts.applied ? 'applied' : 'ignored';
      const receivedAt = captureTime(receivedAfter, launchedAt);
      const kind = adapter.kind(update);
      onStep({ number, receivedAt, tick, bytes, kind, update, effect, before, after: state });
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
