import { type PayloadAction, createEntityAdapter, createSlice } from '@reduxjs/toolkit';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';

type Mutable = Omit<Message, 'content'> & { id: string; context?: string; content: ContentItem[] };

const adapter = createEntityAdapter<Mutable>();

const toEntity = ({ id = '', content = [], ...message }: Message): Mutable => ({
  ...message,
  id,
  content: [...content],
});

/** The fold as Redux Toolkit recommends it: a slice with Immer and an entity adapter. */
const slice = createSlice({
  name: 'messages',
  initialState: adapter.getInitialState(),
  reducers: {
    applied(state, { payload: update }: PayloadAction<Update>) {
      const message = state.entities[state.ids.at(-1) ?? ''];
      if (update.kind === 'snapshot') adapter.setAll(state, (update.frame.messages ?? []).map(toEntity));
      else if (update.kind === 'message') adapter.addOne(state, toEntity(update.frame));
      else if (message === undefined) return;
      else if (update.kind === 'context') message.context = update.frame.context;
      else if (update.kind === 'content') message.content.push(update.frame);
      else if (update.kind === 'text') {
        const item = message.content.pop();
        message.content.push({ ...item, text: update.frame.text });
      }
    },
  },
});

/** Folds frames with that slice. */
export function adapterFold(texts: Iterable<string>): unknown {
  let state = slice.getInitialState();
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') state = slice.reducer(state, slice.actions.applied(update));
  }
  return state;
}
