import { type ParleyAdapter, parleyAdapter } from '#shared/replay/adapter.ts';
import type { ReplayState } from '#shared/replay/reducer.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import type { EngineOptions, Limits, PacedEngine, Step } from '../engine/replay.ts';

export type { ReplayState } from '#shared/replay/reducer.ts';

/** The effect of an update of Parley. */
export type ParleyStep = Step<ReplayState, Update>;

/** The result of a replay of Parley. */
export interface Replay extends ReplayState {
  readonly notifications: readonly NotificationText[];
  /** The last tick that was used, in milliseconds since the launch; 0 when none was. */
  readonly virtualMs: number;
}

/** The options of an engine of Parley. */
export interface ParleyOptions extends EngineOptions<ReplayState, Update> {
  /** Parley of this checkout by default. */
  readonly adapter?: ParleyAdapter | undefined;
}

/** An engine of Parley, whose result has the notifications. */
export interface ParleyEngine extends PacedEngine<Replay> {
  state(): ReplayState;
}

const parley = parleyAdapter();

/** Creates the engine that replays Parley. */
export function createParleyEngine({
  adapter = parley,
  onStep,
  ...options
}: ParleyOptions = {}): ParleyEngine {
  const notifications: NotificationText[] = [];
  const engine = createEngine(adapter, {
    ...options,
    onStep(step) {
      if (step.notification !== undefined) notifications.push(step.notification);
      onStep?.(step);
    },
  });
  return {
    ...engine,
    finish: () => replayOf(engine.finish(), notifications),
  };
}

/** Returns the result of a replay. */
export const replayOf = (state: ReplayState, notifications: readonly NotificationText[]): Replay => ({
  ...replayPart(state),
  notifications,
  virtualMs: state.queue.lastTick,
});

/** Returns the state of a replay, of a larger state, in the order in which documents show it. */
export const replayPart = ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
  conversation,
  arrivals,
  appliedUpdates,
  snapshotFields,
  words,
  counts,
  queue,
}: ReplayState): ReplayState => ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
  conversation,
  arrivals,
  appliedUpdates,
  snapshotFields,
  words,
  counts,
  queue,
});

/** Replays records in memory, up to a limit. */
export function replayRecords(records: readonly CaptureRecord[], limits: Limits = {}): Replay {
  const engine = createParleyEngine(limits);
  records.every((record) => engine.take(record));
  return engine.finish();
}
