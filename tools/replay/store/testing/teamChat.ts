import { configureStore, createAction, createAsyncThunk, createSlice, nanoid } from '@reduxjs/toolkit';
import type { Middleware, PayloadAction } from '@reduxjs/toolkit';
import type { StoreAdapter, StoreDeps } from '../storeAdapter.ts';

/** What a faulty revision of the app does. */
export interface TeamChatFault {
  /** Counts each read twice. */
  readonly countsTwice?: boolean;
  /** Uses the clock of the machine for the time of a post. */
  readonly usesDate?: boolean;
  /** Throws at a post with this text, and when a person has this name. */
  readonly throwsAt?: string;
  /** Changes the state of the store directly. */
  readonly mutates?: boolean;
}

type Post = Readonly<Record<'id' | 'user' | 'text', string>> & { readonly seenAt: number };

interface State {
  readonly posts: readonly Post[];
  readonly names: { readonly [user: string]: string };
  readonly typing: readonly string[];
  readonly read: number;
}

type Platform = Pick<StoreDeps['clock'], 'now' | 'setTimeout' | 'clearTimeout'> & Pick<StoreDeps, 'fetch'>;

const initialState: State = { posts: [], names: {}, typing: [], read: 0 };

const frameReceived = createAction<unknown>('socket/frame');

/** A chat as people write it: a middleware dispatches actions for a frame, a thunk loads a name, reads are counted after 100 ms. */
function createChat(platform: Platform, fault: TeamChatFault) {
  const slice = createSlice({
    name: 'chat',
    initialState,
    reducers: {
      posted(state, { payload }: PayloadAction<Post>) {
        if (payload.text === fault.throwsAt) throw new TypeError('a post that is not expected');
        state.posts = [...state.posts, payload];
      },
      typed(state, { payload }: PayloadAction<string>) {
        if (!state.typing.includes(payload)) state.typing = [...state.typing, payload];
      },
      stopped(state, { payload }: PayloadAction<string>) {
        state.typing = state.typing.filter((user) => user !== payload);
      },
      readBatch(state, { payload }: PayloadAction<number>) {
        state.read += fault.countsTwice ? 2 * payload : payload;
      },
    },
    extraReducers: (builder) =>
      builder.addCase(loadName.fulfilled, (state, { payload, meta }) => {
        if (payload === fault.throwsAt) throw new TypeError('a name that is not expected');
        state.names = { ...state.names, [meta.arg]: payload };
      }),
  });
  const { posted, typed, stopped, readBatch } = slice.actions;
  let reads = 0;
  let timer: number | undefined;
  const socket: Middleware<object, State> = (api) => (next) => (action) => {
    if (!frameReceived.match(action)) return next(action);
    const { event, user = '', text = '', id = nanoid() } = Object(action.payload);
    if (event === 'typing') api.dispatch(typed(user));
    if (event === 'posted') {
      api.dispatch(stopped(user));
      api.dispatch(posted({ id, user, text, seenAt: fault.usesDate ? Date.now() : platform.now() }));
      if (fault.mutates) Object.assign(api.getState(), { read: 7 });
      if (api.getState().names[user] === undefined) Reflect.apply(api.dispatch, undefined, [loadName(user)]);
    }
    if (event === 'read') {
      reads++;
      platform.clearTimeout(timer);
      timer = platform.setTimeout(() => {
        api.dispatch(readBatch(reads));
        reads = 0;
      }, 100);
    }
    return undefined;
  };
  const loadName = createAsyncThunk('chat/loadName', async (user: string) => {
    const response = await platform.fetch(`/api/users/${user}`);
    const { name } = await response.json();
    return String(name);
  });
  return { reducer: slice.reducer, middleware: socket };
}

/** Returns the adapter of the chat, whose store has the tool's enhancer, and which uses `deps`. */
export const teamChat = (fault: TeamChatFault = {}) =>
  adapterOf(({ clock, fetch, enhancer }) => {
    const { reducer, middleware } = createChat({ ...clock, fetch }, fault);
    return configureStore({
      reducer,
      middleware: (defaults) => defaults().concat(middleware),
      enhancers: (defaults) => defaults().concat(enhancer),
    });
  });

/** Returns the adapter of the same chat, which uses the functions of the platform. */
export const globalTeamChat = (globals?: true) => ({
  ...adapterOf(() => {
    const platform: Platform = {
      now: () => Date.now(),
      setTimeout: (task, ms, ...args) => Number(setTimeout(task, ms, ...args)),
      clearTimeout: (id) => clearTimeout(id),
      fetch: (...given) => fetch(...given),
    };
    const { reducer, middleware } = createChat(platform, {});
    return configureStore({ reducer, middleware: (defaults) => defaults().concat(middleware) });
  }),
  ...(globals && { globals }),
});

function adapterOf(createStore: (deps: StoreDeps) => ReturnType<typeof configureStore>) {
  const adapter: StoreAdapter<ReturnType<typeof createStore>> = {
    name: 'team-chat',
    redact: { codes: ['event'] },
    createStore,
    onFrame: (store, data) => void store.dispatch(frameReceived(JSON.parse(String(data)))),
    describe: ({ type, payload }) => `${type.replace('chat/', '')} ${JSON.stringify(payload ?? null)}`,
    display: (state) => Object(state).posts.map(({ text }: Post) => text),
  };
  return adapter;
}

const recv = (t: number, event: string, fields = {}) => {
  return { t, type: 'recv', data: JSON.stringify({ event, ...fields }) } as const;
};

const post = (t: number, text: string) => recv(t, 'posted', { id: text, user: 'u1', text });

/** A session of the chat: a post, whose author's name is loaded, three reads in two batches, and a second post. */
export const CHAT_RECORDS = [
  { t: 0, type: 'open' },
  recv(5, 'typing', { user: 'u1' }),
  post(10, 'hello'),
  { t: 11, type: 'http', id: 1, request: { method: 'GET', url: '/api/users/u1' } },
  recv(20, 'read'),
  { t: 40, type: 'http', id: 1, response: { status: 200, body: '{"name":"Ada"}' } },
  recv(60, 'read'),
  post(300, 'again'),
  recv(310, 'read'),
  { t: 500, type: 'end' },
] as const;
