import { toSnapshot } from '#shared/conversation/conversation.ts';
import type { ReplayState } from '../engine/parley.ts';
import { stateDocument } from '../run/stateDocument.ts';

/** Returns a state with its conversation, as plain data. */
export const wholeState = (state: ReplayState): object => ({
  ...toSnapshot(state.conversation),
  ...stateDocument(state),
});
