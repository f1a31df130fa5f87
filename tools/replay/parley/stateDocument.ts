import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toList } from '#shared/fifo.ts';
import { toArray } from '#shared/conversation/vector.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { windowTitle } from '#shared/window/attention.ts';
import { type ReplayState, replayPart } from './parley.ts';

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
