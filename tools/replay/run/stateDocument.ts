import { toList } from '#shared/fifo.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { ReceivedUpdate } from '#shared/store/updates.ts';
import { windowTitle } from '#shared/window/attention.ts';
import { type ReplayState, replayPart } from '../engine/replay.ts';

/** The state without the conversation, with the waiting updates as a list. */
export interface StateDocument extends Omit<ReplayState, 'conversation' | 'queue'> {
  /** The title of every window. */
  readonly title: string;
  readonly queue: Pick<QueueState, 'length' | 'bytes' | 'lastTick'> & {
    readonly waiting: readonly ReceivedUpdate[];
  };
}

/** Creates the document of a state: of a replay, or of main's store. */
export function stateDocument(state: ReplayState): StateDocument {
  const { conversation: _conversation, queue, ...rest } = replayPart(state);
  const { length, bytes, lastTick, waiting } = queue;
  return {
    ...rest,
    title: windowTitle(rest.attention),
    queue: { length, bytes, lastTick, waiting: toList(waiting) },
  };
}
