import { createSlice, type PayloadAction, type Reducer } from '@reduxjs/toolkit';
import { isOfType } from '../isOfType.ts';
import { perSession } from './session.ts';

/**
 * The connection to the platform (spec §3.2):
 *
 *     disconnected ── pong ──▶ connected
 *          ▲                       │
 *          └──────── close ────────┘
 *
 * After a close with an empty reason, Parley reconnects. After a close with a reason (`closedBecause`), it waits until the person
 * requests a reconnect.
 */
export interface ConnectionState {
  readonly status: 'connected' | 'disconnected';
  /** The reason of a close after which Parley does not reconnect, else `null`. */
  readonly closedBecause: string | null;
  /** When the next attempt begins, in milliseconds since 1970. Absent until a connection was lost or could not be opened. */
  readonly retryAt?: number | undefined;
}

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };

/** How a socket ended. */
export interface Close {
  readonly code: number;
  readonly reason: string;
}

/** The close of a connection, and when the next attempt begins, as in `ConnectionState`. */
interface ClosePayload extends Close {
  readonly retryAt?: number | undefined;
}

const slice = createSlice({
  name: 'connection',
  initialState: disconnected,
  reducers: {
    /** The socket is open; the platform has not answered a ping yet. */
    opened: () => {},
    /** A pong was received: the platform answers. */
    confirmed: (): ConnectionState => ({ status: 'connected', closedBecause: null }),
    /** The socket closed, or could not be opened. */
    closed: (state, { payload: { reason, retryAt } }: PayloadAction<ClosePayload>) => {
      state.status = 'disconnected';
      state.closedBecause = reason === '' ? null : reason;
      state.retryAt = retryAt;
    },
    /** The person requested a reconnect after a close with a reason. */
    requested: (state) => {
      state.closedBecause = null;
    },
  },
});

export const {
  opened: connectionOpened,
  confirmed: connectionConfirmed,
  closed: connectionClosed,
  requested: connectionRequested,
} = slice.actions;

/** Reduces the connection. */
export const connectionReducer = perSession(slice.reducer);

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = perSession(
  (wasConnected = false, action) => wasConnected || isOfType(action, connectionConfirmed),
);

/** Returns the status in the form of the `ws` channel (spec §6.3): 0 connected, 1 disconnected. */
export const statusCode = ({ status }: ConnectionState): 0 | 1 => (status === 'connected' ? 0 : 1);
