import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionEnded, sessionLaunched } from './session.ts';

/**
 * The connection as people see it (spec §3.2):
 *
 *     disconnected ── pong ──▶ connected
 *          ▲                       │
 *          └──────── close ────────┘
 *
 * A close with an empty reason is followed by another try; after any other reason it stays closed (`closedBecause`)
 * until somebody asks for it.
 */
export interface ConnectionState {
  readonly status: 'connected' | 'disconnected';
  /** The reason of a close that is not tried again, else `null`. */
  readonly closedBecause: string | null;
}

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };

/** How a socket ended. */
export interface Close {
  readonly code: number;
  readonly reason: string;
}

const slice = createSlice({
  name: 'connection',
  initialState: disconnected,
  reducers: {
    /** The socket is open; whether anybody answers is not known yet. */
    opened: (state) => state,
    /** A pong came: the platform is there. */
    confirmed: (): ConnectionState => ({ status: 'connected', closedBecause: null }),
    /** The socket closed, or could not be opened. */
    closed: (state, { payload }: PayloadAction<Close>) => {
      state.status = 'disconnected';
      state.closedBecause = payload.reason === '' ? null : payload.reason;
    },
    /** Somebody asked for another try after a close that is not followed by one. */
    requested: (state) => {
      state.closedBecause = null;
    },
  },
  extraReducers: (builder) =>
    builder.addCase(sessionLaunched, () => disconnected).addCase(sessionEnded, () => disconnected),
});

export const {
  opened: connectionOpened,
  confirmed: connectionConfirmed,
  closed: connectionClosed,
  requested: connectionRequested,
} = slice.actions;

export const connectionReducer = slice.reducer;

/** The status as the `ws` channel says it (spec §6.3): 0 connected, 1 disconnected. */
export const statusCode = ({ status }: ConnectionState): 0 | 1 => (status === 'connected' ? 0 : 1);
