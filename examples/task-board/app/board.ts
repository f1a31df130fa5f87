import { type PayloadAction, createSlice } from '@reduxjs/toolkit';

/** A card of the board. */
export interface Card {
  readonly id: string;
  readonly title: string;
}

/** A column with its cards in their order. */
export interface Column {
  readonly id: string;
  readonly title: string;
  readonly cards: readonly Card[];
}

/** The state of the app: the board as the server has it, and the connection. */
export interface BoardState {
  readonly columns: readonly Column[];
  /** The people who look at the board. */
  readonly people: readonly string[];
  readonly isConnected: boolean;
}

const initialState: BoardState = { columns: [], people: [], isConnected: false };

const slice = createSlice({
  name: 'board',
  initialState,
  reducers: {
    /** The server sent the whole board: it does so for each connection. */
    received: (state, { payload }: PayloadAction<{ columns: Column[] }>) => ({
      ...state,
      columns: payload.columns,
    }),
    /** A card was added at the end of a column. */
    cardAdded: (state, { payload }: PayloadAction<{ column: string; card: Card }>) => {
      state.columns.find(({ id }) => id === payload.column)?.cards.push(payload.card);
    },
    /** A card was moved to the end of a column. */
    cardMoved: (state, { payload }: PayloadAction<{ id: string; column: string }>) => {
      const from = state.columns.find(({ cards }) => cards.some(({ id }) => id === payload.id));
      const to = state.columns.find(({ id }) => id === payload.column);
      const index = from?.cards.findIndex(({ id }) => id === payload.id) ?? -1;
      if (from === undefined || to === undefined) return;
      to.cards.push(...from.cards.splice(index, 1));
    },
    /** A card got another title. */
    cardRenamed: (state, { payload }: PayloadAction<Card>) => {
      for (const { cards } of state.columns)
        for (const card of cards) if (card.id === payload.id) card.title = payload.title;
    },
    /** A card was removed. */
    cardRemoved: (state, { payload }: PayloadAction<{ id: string }>) => {
      for (const { cards } of state.columns) {
        const index = cards.findIndex(({ id }) => id === payload.id);
        if (index !== -1) cards.splice(index, 1);
      }
    },
    /** A person opened or left the board. */
    peopleChanged: (state, { payload }: PayloadAction<{ names: string[] }>) => {
      state.people = payload.names;
    },
  },
  extraReducers: (builder) =>
    builder
      .addMatcher(
        ({ type }) => type === 'connection/opened',
        (state) => {
          state.isConnected = true;
        },
      )
      .addMatcher(
        ({ type }) => type === 'connection/closed',
        (state) => {
          state.isConnected = false;
          state.people = [];
        },
      ),
});

/** The actions of the board. Each one is a frame of the server. */
export const boardActions = slice.actions;

/** Reduces the board. */
export const boardReducer = slice.reducer;
