import type { StoreAdapter, StoreDeps } from '../storeAdapter.ts';

interface Notes {
  readonly notes: readonly string[];
  readonly answer: string;
  readonly add: (note: string) => void;
}

/** A store as zustand makes it: a state with its functions, and `setState`. */
function createStore<State>(create: (set: (part: Partial<State>) => void, get: () => State) => State) {
  const listeners = new Set<() => void>();
  const setState = (part: Partial<State>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const getState = () => state;
  let state = create(setState, getState);
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { getState, setState, subscribe };
}

const createNotes = ({ fetch }: Pick<StoreDeps, 'fetch'>) => {
  const store = createStore<Notes>((set, get) => ({
    notes: [],
    answer: '',
    add: (note) => set({ notes: [...get().notes, note] }),
  }));
  return Object.assign(store, {
    /** Asks for an answer, which comes in pieces. */
    async ask(question: string) {
      const response = await fetch('/api/ask', { method: 'POST', body: question });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
        store.setState({ answer: store.getState().answer + part.value });
    },
  });
};

/** The adapter of an app with such a store and server-sent events: an event is a note; `ask` also asks, and `fail` rejects. */
export const notesAdapter: StoreAdapter<ReturnType<typeof createNotes>> = {
  name: 'notes',
  createStore: createNotes,
  onFrame(store, data) {
    const { event, data: text } = JSON.parse(String(data));
    if (event === 'message') store.getState().add(text);
    if (event === 'ask') void store.ask(text);
    if (event === 'fail') void Promise.reject(new RangeError(text));
    if (event === 'wait') return Promise.resolve().then(() => Promise.reject(new RangeError(text)));
    return undefined;
  },
  onOpen: (store, { socket }) => store.getState().add(`open ${socket}`),
  onClose: (store, { socket, code }) => store.getState().add(`close ${socket} ${code}`),
  onAction: (store, { type }) => store.getState().add(type),
};
