import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import {
  type ConnectionState,
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  connectionReducer,
  connectionRequested,
  statusCode,
} from './connection.ts';
import { sessionEnded, sessionLaunched } from './session.ts';

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };
const connected: ConnectionState = { status: 'connected', closedBecause: null };
const kicked: ConnectionState = { status: 'disconnected', closedBecause: 'maintenance' };

test('nothing happened yet, disconnected', () => {
  expect(connectionReducer(undefined, { type: '@@init' })).toEqual(disconnected);
});

test.each<[string, ConnectionState, Action, ConnectionState]>([
  ['spec §3.2 row 1: disconnected, a pong', disconnected, connectionConfirmed(), connected],
  ['spec §3.2 row 1: closed for a reason, a pong', kicked, connectionConfirmed(), connected],
  [
    'spec §3.2 row 2: connected, a close with an empty reason',
    connected,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  [
    'spec §3.2 row 2: connected, a close with another reason',
    connected,
    connectionClosed({ code: 1000, reason: 'maintenance' }),
    kicked,
  ],
  [
    'spec §3.2 row 2: connecting, a close with an empty reason',
    disconnected,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  [
    'spec §3.2 row 2: closed for a reason, a close without',
    kicked,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  ['spec §3.2 row 3: disconnected, opened', disconnected, connectionOpened(), disconnected],
  ['contract §3: closed for a reason, another try asked for', kicked, connectionRequested(), disconnected],
  ['a session launched', kicked, sessionLaunched({ launchedAt: 0 }), disconnected],
  ['spec §3.1: a session ended', connected, sessionEnded(), disconnected],
])('%s, the next state', (_, ...[before, action, after]) => {
  expect(connectionReducer(before, action)).toEqual(after);
});

test('spec §3.2 row 3: opened, the same state', () => {
  expect(connectionReducer(connected, connectionOpened())).toBe(connected);
});

test.each([
  [connected, 0],
  [disconnected, 1],
  [kicked, 1],
] as const)('spec §6.3 ws: %o, %i', (state, code) => {
  expect(statusCode(state)).toBe(code);
});
