import { type ReplayState, parleyAdapter } from '#shared/replay/adapter.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { NotificationText } from '#shared/conversation/applyUpdate.ts';
import { type EngineOptions, createEngine } from '../engine/createEngine.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toList } from '#shared/fifo.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { actsPart } from '#shared/capture/recordedActions.ts';
import { windowTitle } from '#shared/store/openWindows.ts';

export type { ReplayState } from '#shared/replay/adapter.ts';

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

/** The state without the conversation, with the title of every window, and the arrivals and the waiting updates as lists. */
export type StateDocument = ReturnType<typeof stateDocument>;

/**
 * Creates the document of a state: of a replay, or of main's store, which is larger. The fields have the order in which documents show them. An
 * arrival is in milliseconds since the launch; `null` when it is not known.
 */
export function stateDocument(state: ReplayState) {
  const { appliedUpdates, snapshotFields, words, counts } = state;
  const { length, bytes, lastTick, waiting } = state.queue;
  return {
    ...actsPart(state),
    appliedUpdates,
    snapshotFields,
    words,
    counts,
    title: windowTitle(state.attention),
    arrivals: toArray(state.arrivals),
    queue: { length, bytes, lastTick, waiting: toList(waiting) },
  };
}

/** Returns a state with its conversation, as plain data. */
export const wholeState = (state: ReplayState): object => ({
  ...toSnapshot(state.conversation),
  ...stateDocument(state),
});
