import { configureStore, type Reducer, combineReducers, type Middleware } from '@reduxjs/toolkit';
import { isWindowStateAction, type WindowStateAction } from '#shared/actions/actionTable.ts';
import { stateReported } from '#shared/actions/windowActions.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import {
  conversationFromNewest,
  withPart,
  type Conversation,
  type Word,
} from '#shared/conversation/conversation.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import type { ParleySyncBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { isOfType } from '#shared/isOfType.ts';
import {
  type Arrivals,
  arrivalsOfSnapshot,
  arrivalsReducer,
  appliedUpdatesReducer,
  conversationReducer,
} from '#shared/store/conversationSlices.ts';
import { sharedReducers } from '#shared/store/rootReducer.ts';
import { DEFAULT_MIDDLEWARE } from '#shared/store/sessionMiddleware.ts';
import { type ShownState, windowStateReducer } from '#shared/store/windowState.ts';
import { createTextMemory, rememberTexts } from './createTextMemory.ts';
import { followMain } from './followMain.ts';
import { partArrived, snapshotArrived, stateFetched } from './syncActions.ts';

/**
 * Creates the window's store, which follows main's shared state action by action. The window itself dispatches only the actions of its state.
 * Keeps the texts of the text box in `texts`.
 */
export function createWindowStore(
  sync: ParleySyncBridge,
  tools: Pick<ParleyToolsBridge, 'send' | 'on'>,
  texts = createTextMemory(null),
) {
  const { enhancer, whenCaughtUp } = followMain(sync);
  return configureStore({
    reducer: windowReducer,
    middleware: (defaults) =>
      defaults(DEFAULT_MIDDLEWARE).concat(rememberTexts(texts), sendState(tools, whenCaughtUp)),
    enhancers: (defaults) => defaults({ autoBatch: false }).concat(enhancer),
  });
}

/** The window's store. */
export type WindowStore = ReturnType<typeof createWindowStore>;

/** Reduces the conversation: main's updates, and the messages that arrive in parts. */
const conversationInWindow: Reducer<Conversation> = (conversation, action) => {
  if (isOfType(action, snapshotArrived))
    return conversationFromNewest(action.payload.person, action.payload.newest);
  if (isOfType(action, partArrived) && conversation !== undefined)
    return withPart(conversation, action.payload);
  return conversationReducer(conversation, action);
};

/** Reduces the arrivals: the window computes those of a snapshot that arrives in parts. */
const arrivalsInWindow: Reducer<Arrivals> = (arrivals = emptyVector(), action) => {
  if (!isOfType(action, snapshotArrived)) return arrivalsReducer(arrivals, action);
  const { newest, known, tick } = action.payload;
  return arrivalsOfSnapshot(arrivals, { length: newest.length, known, tick });
};

const appliedUpdatesInWindow: Reducer<number> = (count = 0, action) =>
  isOfType(action, snapshotArrived) ? count + 1 : appliedUpdatesReducer(count, action);

const wordsInWindow: Reducer<readonly Word[]> = (words, action) =>
  isOfType(action, snapshotArrived) ? action.payload.words : sharedReducers.words(words, action);

/** The window's state is a fold over its actions, and over nothing else. */
const windowStateInWindow: Reducer<WindowState> = (own, action) =>
  own === undefined || isWindowStateAction(action) ? windowStateReducer(own, action) : own;

const reducer = combineReducers({
  ...sharedReducers,
  words: wordsInWindow,
  conversation: conversationInWindow,
  arrivals: arrivalsInWindow,
  appliedUpdates: appliedUpdatesInWindow,
  own: windowStateInWindow,
});

/** Reduces main's shared state, and the state of this window. */
export const windowReducer: Reducer<ShownState> = (state, action) => {
  const reduced = reducer(state, action);
  if (!isOfType(action, stateFetched)) return reduced;
  const { state: fetched, newest } = action.payload;
  const conversation = conversationFromNewest(fetched.conversation.person, newest);
  return { ...fetched, conversation, own: reduced.own };
};

/**
 * Sends the actions of the window's state to main, in the order in which the window applies them. They are numbered from the load of the page.
 * The first one, and the answer to main's `requestState`, is the whole state. Main repeats the number that it expects, so that a lost last
 * action is noticed.
 */
export const sendState =
  (
    { send, on }: Pick<ParleyToolsBridge, 'send' | 'on'>,
    whenCaughtUp: (task: () => void) => void,
  ): Middleware<object, { readonly own: WindowState }> =>
  ({ getState }) => {
    let count = 0;
    const sendNumbered = ({ type, payload }: WindowStateAction) =>
      send('action', { type, ...(payload !== undefined && { payload }) }, count++);
    const sendWhole = () => sendNumbered(stateReported({ state: getState().own }));
    sendWhole();
    let countAtCheck = 0;
    on('requestState', (next) => {
      // The request may follow a sign-out that the window has not applied yet: it must not answer with the draft of the person before.
      if (next === undefined) return whenCaughtUp(sendWhole);
      // What was sent before the previous check is not on its way any more.
      if (next < countAtCheck) sendWhole();
      countAtCheck = count;
    });
    return (next) => (action) => {
      // Before it is applied: what is dispatched meanwhile follows it in the same order.
      if (isWindowStateAction(action)) sendNumbered(action);
      return next(action);
    };
  };
