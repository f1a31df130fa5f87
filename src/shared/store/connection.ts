import { type Reducer, createReducer } from '@reduxjs/toolkit';
import { connectionClosed, connectionConfirmed } from '../actions/sessionActions.ts';
import { connectionRequested } from '../actions/userActions.ts';
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

/** Reduces the connection. */
export const connectionReducer = perSession(
  createReducer(disconnected, (builder) =>
    builder
      .addCase(connectionConfirmed, (): ConnectionState => ({ status: 'connected', closedBecause: null }))
      .addCase(connectionClosed, (state, { payload: { reason, retryAt } }) => {
        state.status = 'disconnected';
        state.closedBecause = reason === '' ? null : reason;
        state.retryAt = retryAt;
      })
      .addCase(connectionRequested, (state) => {
        state.closedBecause = null;
      }),
  ),
);

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = perSession(
  (wasConnected = false, action) => wasConnected || isOfType(action, connectionConfirmed),
);

/** Returns the status in the form of the `ws` channel (spec §6.3): 0 connected, 1 disconnected. */
export const statusCode = ({ status }: ConnectionState): 0 | 1 => (status === 'connected' ? 0 : 1);
