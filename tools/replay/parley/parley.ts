import { type ReplayState, parleyAdapter } from '#shared/replay/adapter.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { NotificationText } from '#shared/conversation/applyUpdate.ts';
import { type EngineOptions, type Step, createEngine } from '../engine/createEngine.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toList } from '#shared/fifo.ts';
import { toArray } from '#shared/conversation/vector.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { windowTitle } from '#shared/store/openWindows.ts';

export type { ReplayState } from '#shared/replay/adapter.ts';

/** The effect of an update of Parley. */
export type ParleyStep = Step<ReplayState, Update>;

const parley = parleyAdapter();

/**
 * Creates the engine that replays Parley. Its result has the notifications, and the last tick that was used, in milliseconds since the launch; 0 when none
 * was.
 */
export function createParleyEngine(options: EngineOptions<ReplayState, Update> = {}) {
  const notifications: NotificationText[] = [];
  const engine = createEngine(parley, {
    ...options,
    onNotification: (notification) => void notifications.push(notification),
  });
  return {
    ...engine,
    finish() {
      const state = engine.finish();
      return { ...state, notifications, virtualMs: state.queue.lastTick };
    },
  };
}

/** An engine of Parley, and its result. */
export type ParleyEngine = ReturnType<typeof createParleyEngine>;
export type Replay = ReturnType<ParleyEngine['finish']>;

/** Returns the state of a replay, of a larger state, in the order in which documents show it. */
const replayPart = ({
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

/** The state without the conversation, with the arrivals and the waiting updates as lists. */
export interface StateDocument extends Omit<ReplayState, 'arrivals' | 'conversation' | 'queue'> {
  /** The title of every window. */
  readonly title: string;
  /** When each message arrived, in milliseconds since the launch; `null` when that is not known. */
  readonly arrivals: readonly (number | null)[];
  readonly queue: Pick<QueueState, 'length' | 'bytes' | 'lastTick'> & {
    readonly waiting: readonly ReceivedUpdate[];
  };
}

/** Creates the document of a state: of a replay, or of main's store. */
export function stateDocument(state: ReplayState): StateDocument {
  const { conversation: _conversation, arrivals, queue, ...rest } = replayPart(state);
  const { length, bytes, lastTick, waiting } = queue;
  return {
    ...rest,
    title: windowTitle(rest.attention),
    arrivals: toArray(arrivals),
    queue: { length, bytes, lastTick, waiting: toList(waiting) },
  };
}

/** Returns a state with its conversation, as plain data. */
export const wholeState = (state: ReplayState): object => ({
  ...toSnapshot(state.conversation),
  ...stateDocument(state),
});
