import { type Reducer, combineReducers } from '@reduxjs/toolkit';
import { actsPart, initialActs } from '../capture/actsState.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { isOfType } from '../isOfType.ts';
import { snapshotFieldsReducer } from '../store/conversation.ts';
import { replayedReducers } from '../store/rootReducer.ts';
import { perSession } from '../store/session.ts';
import { attentionReducer } from '../window/attention.ts';
import { windowsReducer } from '../window/windows.ts';
import { type ReplayCode, appCode } from './code.ts';
import { updateApplied, updateIgnored, updateReceived } from '../actions/sessionActions.ts';

/** The slices of main's store, without those that no record changes: the account, the times of day and the numbers of forwarded actions. */
const reducers = {
  ...replayedReducers,
  attention: attentionReducer,
  snapshotFields: snapshotFieldsReducer,
  windows: windowsReducer,
};

const reduceAction = combineReducers(reducers);

/** The state of a session, as in main's store. It is plain data, and any state is a checkpoint: a replay that starts from it reaches the same end. */
export type ReplayState = ReturnType<typeof reduceAction>;

/**
 * Reduces the state of a session as main's store does. Updates, which are most actions, reach only the slices that depend on them: Redux asks each
 * slice, which takes twice as long. A spread of the state would take longer still, so the state is a literal.
 */
const reduceSession: Reducer<ReplayState> = (state, action) =>
  state === undefined || !isUpdate(action)
    ? reduceAction(state, action)
    : {
        connection: state.connection,
        wasConnected: state.wasConnected,
        conversation: reducers.conversation(state.conversation, action),
        arrivals: reducers.arrivals(state.arrivals, action),
        appliedUpdates: reducers.appliedUpdates(state.appliedUpdates, action),
        preferences: state.preferences,
        audio: state.audio,
        backlog: state.backlog,
        words: reducers.words(state.words, action),
        queue: reducers.queue(state.queue, action),
        counts: reducers.counts(state.counts, action),
        attention: reducers.attention(state.attention, action),
        snapshotFields: reducers.snapshotFields(state.snapshotFields, action),
        windows: state.windows,
      };

/** Returns whether an action is an update: received, or released. Most actions of a session are updates. */
const isUpdate = (action: unknown): boolean =>
  isOfType(action, updateReceived) || isOfType(action, updateApplied) || isOfType(action, updateIgnored);

/** Returns the reducer of a session: main's own, or with the reducers of another revision's code. */
export const reducerOf = (code: ReplayCode): Reducer<ReplayState> =>
  code === appCode ? reduceSession : reducerWith(code);

/** Uses the other revision's reducers of the conversation and of the slices that follow from actions. It may have fewer of those. */
function reducerWith({ applyUpdate, emptyConversation, reduceActs }: ReplayCode): Reducer<ReplayState> {
  const combined = combineReducers({
    ...reducers,
    conversation: perSession<Conversation>((conversation = emptyConversation, action) =>
      isOfType(action, updateApplied) ? applyUpdate(conversation, action.payload.update) : conversation,
    ),
  });
  return (state, action) => {
    const next = combined(state, action);
    if (isUpdate(action)) return next;
    return { ...next, ...initialActs, ...reduceActs(state && actsPart(state), action) };
  };
}
