import type { Action, UnknownAction } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import {
  audioStarted,
  audioStopped,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
  recordingCancelled,
  recordingStarted,
  recordingStopped,
} from '../actions/mainActions.ts';
import {
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  sessionEnded,
  sessionLaunched,
  timeOfDayRead,
} from '../actions/sessionActions.ts';
import { connectionRequested } from '../actions/userActions.ts';
import {
  type ConnectionState,
  connectionReducer,
  statusCode,
  wasConnectedReducer,
  type AudioState,
  audioReducer,
  timeOfDayAt,
  timesOfDayReducer,
} from './sharedSlices.ts';

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };
const connected: ConnectionState = { status: 'connected', closedBecause: null };
const waiting: ConnectionState = { ...disconnected, retryAt: 500 };
const kicked: ConnectionState = { status: 'disconnected', closedBecause: 'maintenance' };

test('is disconnected at first', () => {
  expect(connectionReducer(undefined, { type: '@@init' })).toEqual(disconnected);
});

test.each<[string, ConnectionState, Action, ConnectionState]>([
  ['spec §3.2 row 1: a pong when disconnected', disconnected, connectionConfirmed(), connected],
  ['spec §3.2 row 1: a pong after a close with a reason', kicked, connectionConfirmed(), connected],
  [
    'spec §3.2 row 2: a close with an empty reason when connected',
    connected,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  [
    'spec §3.2 row 2: a close with a reason when connected',
    connected,
    connectionClosed({ code: 1000, reason: 'maintenance' }),
    kicked,
  ],
  [
    'spec §3.2 row 2: a close with an empty reason when connecting',
    disconnected,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  [
    'spec §3.2 row 2: a close with an empty reason after a close with a reason',
    kicked,
    connectionClosed({ code: 1006, reason: '' }),
    disconnected,
  ],
  [
    'a close with the time of the next attempt',
    connected,
    connectionClosed({ code: 1006, reason: '', retryAt: 500 }),
    waiting,
  ],
  [
    'a close without a next attempt, after an attempt',
    waiting,
    connectionClosed({ code: 1000, reason: 'maintenance' }),
    kicked,
  ],
  ['a pong after an attempt', waiting, connectionConfirmed(), connected],
  ['spec §3.2 row 3: an opened connection when disconnected', disconnected, connectionOpened(), disconnected],
  [
    'contract §3: a requested reconnect after a close with a reason',
    kicked,
    connectionRequested(),
    disconnected,
  ],
  ['the launch of a session', kicked, sessionLaunched({ launchedAt: 0 }), disconnected],
  ['spec §3.1: the end of a session', connected, sessionEnded(), disconnected],
])('%s leads to the expected state', (_, ...[before, action, after]) => {
  expect(connectionReducer(before, action)).toEqual(after);
});

test('spec §3.2 row 3: an opened connection keeps the state', () => {
  expect(connectionReducer(connected, connectionOpened())).toBe(connected);
});

test.each([
  [connected, 0],
  [disconnected, 1],
  [kicked, 1],
] as const)('spec §6.3 ws: returns the status code of %o: %i', (state, code) => {
  expect(statusCode(state)).toBe(code);
});

test('spec §3.2: each action leads from each state to one state', () => {
  const states = { disconnected, connected, kicked };
  const actions = {
    opened: connectionOpened(),
    confirmed: connectionConfirmed(),
    'closed without a reason': connectionClosed({ code: 1006, reason: '' }),
    'closed with a reason': connectionClosed({ code: 1000, reason: 'maintenance' }),
    requested: connectionRequested(),
  };
  const nameOf = (state: ConnectionState) =>
    Object.entries(states).find(
      ([, { status, closedBecause }]) => state.status === status && state.closedBecause === closedBecause,
    )?.[0];
  const rows = Object.entries(states).flatMap(([from, before]) =>
    Object.entries(actions).map(
      ([name, action]) => `${from} -- ${name} --> ${nameOf(connectionReducer(before, action))}`,
    ),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "disconnected -- opened --> disconnected",
      "disconnected -- confirmed --> connected",
      "disconnected -- closed without a reason --> disconnected",
      "disconnected -- closed with a reason --> kicked",
      "disconnected -- requested --> disconnected",
      "connected -- opened --> connected",
      "connected -- confirmed --> connected",
      "connected -- closed without a reason --> disconnected",
      "connected -- closed with a reason --> kicked",
      "connected -- requested --> connected",
      "kicked -- opened --> kicked",
      "kicked -- confirmed --> connected",
      "kicked -- closed without a reason --> disconnected",
      "kicked -- closed with a reason --> kicked",
      "kicked -- requested --> disconnected",
    ]
  `);
});

const foldWasConnected = (...actions: Parameters<typeof wasConnectedReducer>[1][]) =>
  actions.reduce(wasConnectedReducer, wasConnectedReducer(undefined, { type: '' }));

test('wasConnected stays true from the first answer of the platform to the session’s end', () => {
  const launched = sessionLaunched({ launchedAt: 0 });
  const closed = connectionClosed({ code: 1006, reason: '' });
  expect(foldWasConnected(launched, closed)).toBe(false);
  expect(foldWasConnected(launched, connectionConfirmed(), closed, connectionRequested())).toBe(true);
  expect(foldWasConnected(connectionConfirmed(), sessionEnded())).toBe(false);
  expect(foldWasConnected(connectionConfirmed(), launched)).toBe(false);
});

const one = { id: 'a', message: 0, item: 1 };
const two = { id: 'b', message: 3, item: 0 };

const off: AudioState = { isOn: false, isRecording: false, playing: null };
const on: AudioState = { ...off, isOn: true };
const recording: AudioState = { ...on, isRecording: true };
const playing: AudioState = { ...on, playing: one };

test.each<[AudioState, UnknownAction, AudioState]>([
  [off, audioStarted(), on],
  [on, audioStopped(), off],
  [recording, audioStopped(), off],
  [playing, audioStopped(), off],
  [on, recordingStarted(), recording],
  [recording, recordingStopped(), on],
  [recording, recordingCancelled(), on],
  [on, playbackStarted(one), playing],
  [playing, playbackStarted(two), { ...on, playing: two }],
  [playing, playbackEnded(), on],
  [playing, playbackCancelled(), on],
  [playing, recordingStarted(), { ...playing, isRecording: true }],
  [recording, playbackStarted(one), { ...recording, playing: one }],
])(
  'spec §3.3 row 1, §3.3 row 3, §3.3 row 4: turns %j with the action %j into %j',
  (before, action, after) => {
    expect(audioReducer(before, action)).toEqual(after);
  },
);

test.each<[string, AudioState, UnknownAction]>([
  ['off', off, recordingStarted()],
  ['off', off, recordingStopped()],
  ['off', off, playbackStarted(one)],
  ['off', off, playbackEnded()],
  ['idle', on, playbackEnded()],
  ['not recording', on, recordingStopped()],
  ['not recording', on, recordingCancelled()],
  ['on', on, { type: 'session/launched' }],
])('spec §3.3: when %s, keeps the state %j at the action %j', (_, state, action) => {
  expect(audioReducer(state, action)).toBe(state);
});

test('is off at first', () => {
  expect(audioReducer(undefined, { type: '' })).toEqual(off);
});

const LAUNCH = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;
const launched = timesOfDayReducer(undefined, sessionLaunched({ launchedAt: 7, timeOfDay: LAUNCH }));

test('a moment has the time of the launch and the time since then', () => {
  expect(timeOfDayAt(launched, 90_000)).toBe(LAUNCH + 90_000);
});

test('a moment before the launch has the time of the launch without the time until then', () => {
  expect(timeOfDayAt(launched, -90_000)).toBe(LAUNCH - 90_000);
});

test('a moment after the machine slept has the time that was read then, and an earlier one keeps its own', () => {
  const slept = timesOfDayReducer(
    launched,
    timeOfDayRead({ sinceLaunch: 1000, timeOfDay: LAUNCH + 8 * HOUR }),
  );
  expect(timeOfDayAt(slept, 999)).toBe(LAUNCH + 999);
  expect(timeOfDayAt(slept, 1500)).toBe(LAUNCH + 8 * HOUR + 500);
});

test('the time is not known without a launch, in a launch without a time, after the session, and when no date has it', () => {
  expect(timeOfDayAt([], 0)).toBeUndefined();
  expect(timesOfDayReducer(undefined, sessionLaunched({ launchedAt: 7 }))).toEqual([]);
  expect(timeOfDayAt(launched, 1e16)).toBeUndefined();
  expect(timesOfDayReducer(launched, sessionEnded())).toEqual([]);
});
