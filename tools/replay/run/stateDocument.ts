import type { ActsState } from '#shared/capture/actsState.ts';
import type { CountsState } from '#shared/store/counts.ts';
import { toList } from '#shared/store/fifo.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { ReceivedUpdate } from '#shared/store/updates.ts';
import type { ReplayState } from '../engine/replay.ts';

/** The state without the conversation, with the waiting updates as a list. */
export interface StateDocument extends ActsState {
  readonly counts: CountsState;
  readonly queue: Pick<QueueState, 'length' | 'bytes' | 'lastTick'> & {
    readonly waiting: readonly ReceivedUpdate[];
  };
}

/** Creates the document of a state: of a replay, or of main's store. */
export function stateDocument(state: Omit<ReplayState, 'conversation'>): StateDocument {
  const { connection, counts, queue, audio, preferences, windows } = state;
  const { length, bytes, lastTick, waiting } = queue;
  return {
    connection,
    counts,
    audio,
    preferences,
    windows,
    queue: { length, bytes, lastTick, waiting: toList(waiting) },
  };
}
