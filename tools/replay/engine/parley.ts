import { type ParleyAdapter, parleyAdapter } from '#shared/replay/adapter.ts';
import type { ReplayState } from '#shared/replay/reducer.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import { createEngine } from './createEngine.ts';
import type { EngineOptions, PacedEngine, Step } from './replay.ts';

export type { ReplayState } from '#shared/replay/reducer.ts';

/** The effect of an update of Parley. */
export interface ParleyStep extends Step<ReplayState, Update> {
  /** The text of the notification that it showed. */
  readonly notification: NotificationText | undefined;
}

/** The result of a replay of Parley. */
export interface Replay extends ReplayState {
  readonly notifications: readonly NotificationText[];
  /** The last tick that was used, in milliseconds since the launch; 0 when none was. */
  readonly virtualMs: number;
}

/** The options of an engine of Parley. */
export interface ParleyOptions extends Omit<EngineOptions<ReplayState, Update>, 'onStep'> {
  readonly onStep?: ((step: ParleyStep) => void) | undefined;
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
      const { effect, update, after } = step;
      const notification = effect === 'applied' ? adapter.notification(update, after) : undefined;
      if (notification !== undefined) notifications.push(notification);
      if (onStep !== undefined) onStep({ ...step, notification });
    },
  });
  return {
    ...engine,
    finish() {
      const state = engine.finish();
      return { ...replayPart(state), notifications, virtualMs: state.queue.lastTick };
    },
  };
}

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
