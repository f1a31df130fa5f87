import { ActionCreators, instrument } from '@redux-devtools/instrument';
import { type UnknownAction, legacy_createStore } from '@reduxjs/toolkit';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { conversationReducer } from '#shared/store/conversation.ts';
import { updateApplied } from '#shared/store/updates.ts';

/** Measures how long Redux DevTools, with the messenger's reducer, takes to jump to each of some actions, in milliseconds. */
export function instrumentedJumps(texts: readonly string[], targets: readonly number[]): number[] {
  const store = legacy_createStore(conversationReducer, instrument<Conversation, UnknownAction>());
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') store.dispatch(updateApplied({ update, bytes: text.length, tick: 0 }));
  }
  const { liftedStore } = store;
  return targets.map((target) => {
    const start = performance.now();
    liftedStore.dispatch(ActionCreators.jumpToState(target));
    store.getState();
    return performance.now() - start;
  });
}
