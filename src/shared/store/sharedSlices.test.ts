import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import * as session from '../actions/sessionActions.ts';
import { connectionRequested } from '../actions/userActions.ts';
import {
  type ConnectionState,
  connectionReducer,
  statusCode,
  wasConnectedReducer,
  timeOfDayAt,
  timesOfDayReducer,
} from './sharedSlices.ts';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { message } from '#tests/builders/updateOf.ts';
import { toArray } from '../conversation/vector.ts';
import { snapshotFieldsReducer } from './conversationSlices.ts';

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };
const connected: ConnectionState = { status: 'connected', closedBecause: null };
const kicked: ConnectionState = { status: 'disconnected', closedBecause: 'maintenance' };

test.each([
  [connected, 0],
  [disconnected, 1],
  [kicked, 1],
] as const)('spec §6.3 ws: returns the status code of %o: %i', (state, code) => {
  expect(statusCode(state)).toBe(code);
});

test.each<[string, Action, ConnectionState[]]>([
  ['opened', session.connectionOpened(), [disconnected, connected, kicked]],
  ['confirmed', session.connectionConfirmed(), [connected, connected, connected]],
  [
    'closed',
    session.connectionClosed({ code: 1006, reason: '' }),
    [disconnected, disconnected, disconnected],
  ],
  ['kicked', session.connectionClosed({ code: 1000, reason: 'maintenance' }), [kicked, kicked, kicked]],
  ['requested', connectionRequested(), [disconnected, connected, disconnected]],
  ['launched', session.sessionLaunched({ launchedAt: 0 }), [disconnected, disconnected, disconnected]],
  ['ended', session.sessionEnded(), [disconnected, disconnected, disconnected]],
])(
  'spec §3.1, §3.2 row 1, §3.2 row 2, §3.2 row 3, contract §3: "%s" leads from each state to one state',
  (_, action, after) => {
    const states = [disconnected, connected, kicked];
    expect(states.map((before) => connectionReducer(before, action))).toEqual(after);
  },
);

const foldWasConnected = (...actions: Parameters<typeof wasConnectedReducer>[1][]) =>
  actions.reduce(wasConnectedReducer, wasConnectedReducer(undefined, { type: '' }));

test('wasConnected stays true from the first answer of the platform to the session’s end', () => {
  const launched = session.sessionLaunched({ launchedAt: 0 });
  const closed = session.connectionClosed({ code: 1006, reason: '' });
  expect(foldWasConnected(launched, closed)).toBe(false);
  expect(foldWasConnected(launched, session.connectionConfirmed(), closed, connectionRequested())).toBe(true);
  expect(foldWasConnected(session.connectionConfirmed(), session.sessionEnded())).toBe(false);
  expect(foldWasConnected(session.connectionConfirmed(), launched)).toBe(false);
});

const LAUNCH = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;
const launched = timesOfDayReducer(undefined, session.sessionLaunched({ launchedAt: 7, timeOfDay: LAUNCH }));

test('a moment after the machine slept has the time that was read then, and an earlier one keeps its own', () => {
  const slept = timesOfDayReducer(
    launched,
    session.timeOfDayRead({ sinceLaunch: 1000, timeOfDay: LAUNCH + 8 * HOUR }),
  );
  expect(timeOfDayAt(slept, 999)).toBe(LAUNCH + 999);
  expect(timeOfDayAt(slept, 1500)).toBe(LAUNCH + 8 * HOUR + 500);
});

test('the time is not known without a launch, in a launch without a time, after the session, and when no date has it', () => {
  expect(timeOfDayAt([], 0)).toBeUndefined();
  expect(timesOfDayReducer(undefined, session.sessionLaunched({ launchedAt: 7 }))).toEqual([]);
  expect(timeOfDayAt(launched, 1e16)).toBeUndefined();
  expect(timesOfDayReducer(launched, session.sessionEnded())).toEqual([]);
});

test('spec §4.4 item 4: counts each applied update, also one that changes nothing, but no ignored one and no notification', () => {
  const { store, clock, launch, receive, dispatch } = sessionStore();
  const countAfter = (frame: object) => {
    receive(frame);
    clock.advance(100);
    return store.getState().appliedUpdates;
  };
  launch();
  expect(countAfter({ text: 'no message yet' })).toBe(0);
  expect(
    countAfter({ person: 'Ada', messages: [{ id: '1', content: [{ category: 'text', text: 'a' }] }] }),
  ).toBe(1);
  const { conversation } = store.getState();
  expect([{ name: 'Ada' }, { text: 'a' }].map(countAfter)).toEqual([2, 3]);
  expect(store.getState().conversation).toBe(conversation);
  expect(countAfter({ notification: true })).toBe(3);
  dispatch(session.sessionEnded());
  expect(store.getState().appliedUpdates).toBe(0);
});

/** Returns the arrivals of a session after these frames, of which each has its own tick. */
function arrivalsAfter(...frames: readonly object[]) {
  const { store, clock, launch, receive, dispatch } = sessionStore();
  clock.advance(50);
  launch();
  for (const frame of frames) {
    receive(frame);
    clock.advance(100);
  }
  return { dispatch, times: () => toArray(store.getState().arrivals) };
}

const snapshotOf = (...ids: (string | undefined)[]) => ({
  person: 'Ada',
  messages: ids.map((id) => (id === undefined ? { modifier: 'ai' } : message(id))),
});

test('contract §3 times: a message arrived at its tick, and a snapshot keeps the times of the messages that it repeats', () => {
  const times = (...frames: readonly object[]) => arrivalsAfter(...frames).times();
  const [one, two] = [message('1'), message('2')];
  expect(times(one, two)).toEqual([100, 200]);
  // An ignored update changes nothing.
  expect(times({ text: 'b' }, one)).toEqual([200]);
  // The times of the first snapshot are not known.
  expect(times(snapshotOf('1', '2'), message('3'))).toEqual([null, null, 200]);
  expect(times(one, two, snapshotOf('1', '2'))).toEqual([100, 200]);
  expect(times(one, two, snapshotOf('1'))).toEqual([100]);
  // A further message of such a snapshot arrived with it, but after another id nothing is known.
  expect(times(snapshotOf('1'), two, snapshotOf('1', '2', '3'))).toEqual([null, 200, 300]);
  expect(times(one, two, snapshotOf('1', 'x', '2'))).toEqual([100, null, null]);
  expect(times(one, snapshotOf('2', '1'))).toEqual([null, null]);
  const ended = arrivalsAfter(one);
  ended.dispatch(session.sessionEnded());
  expect(ended.times()).toEqual([]);
});

const snapshotWith = (fields: object) =>
  session.updateApplied({
    update: { kind: 'snapshot', frame: { person: 'Ada', messages: [], ...fields } },
    bytes: 1,
    tick: 0,
  });
const fieldsAfter = (...actions: readonly { readonly type: string }[]) =>
  actions.reduce(snapshotFieldsReducer, undefined);

test('contract §5 other fields: keeps the fields of the newest snapshot that Parley does not use', () => {
  const other = session.updateApplied({
    update: { kind: 'message', frame: message('a') },
    bytes: 1,
    tick: 0,
  });
  expect(fieldsAfter(snapshotWith({ theme: { hue: 4 }, name: 'x' }), other)).toEqual({
    theme: { hue: 4 },
    name: 'x',
  });
  expect(fieldsAfter(snapshotWith({ theme: 1 }), snapshotWith({ room: null }))).toEqual({ room: null });
});
