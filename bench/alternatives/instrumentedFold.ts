import { instrument } from '@redux-devtools/instrument';
import { legacy_createStore } from '@reduxjs/toolkit';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { conversationReducer } from '#shared/store/conversation.ts';
import { updateApplied } from '#shared/store/updates.ts';

/** Folds frames with the messenger's reducer and the store enhancer of Redux DevTools, which keeps all actions and states. */
export function instrumentedFold(texts: Iterable<string>): unknown {
  const store = legacy_createStore(conversationReducer, instrument());
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') store.dispatch(updateApplied({ update, bytes: text.length, tick: 0 }));
  }
  return store.getState();
}
