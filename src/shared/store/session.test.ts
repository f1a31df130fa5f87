import * as act from '../actions/sessionActions.ts';
import * as fc from 'fast-check';
import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { connectionRequested } from '../actions/userActions.ts';
import { type ConnectionState, connectionReducer, statusCode, wasConnectedReducer } from './sharedSlices.ts';
import { timeOfDayAt, timesOfDayReducer } from './sharedSlices.ts';
import { sessionStore, advanceTo } from '#tests/builders/sessionStore.ts';
import { message, item, updateOf } from '#tests/builders/updateOf.ts';
import { toArray } from '../conversation/vector.ts';
import { snapshotFieldsReducer } from './conversationSlices.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { messageSent } from '../actions/mainActions.ts';
import { tickFor, tickBefore } from './queue.ts';

const offline: ConnectionState = { status: 'disconnected', closedBecause: null };
const online: ConnectionState = { status: 'connected', closedBecause: null };
const kicked: ConnectionState = { status: 'disconnected', closedBecause: 'maintenance' };

test('spec §6.3 ws: returns the status code 0 of a connected state only', () => {
  expect([online, offline, kicked].map(statusCode)).toEqual([0, 1, 1]);
});

test.each<[string, Action, ConnectionState[]]>([
  ['opened', act.connectionOpened(), [offline, online, kicked]],
  ['confirmed', act.connectionConfirmed(), [online, online, online]],
  ['closed', act.connectionClosed({ code: 1006, reason: '' }), [offline, offline, offline]],
  ['kicked', act.connectionClosed({ code: 1000, reason: 'maintenance' }), [kicked, kicked, kicked]],
  ['requested', connectionRequested(), [offline, online, offline]],
  ['launched', act.sessionLaunched({ launchedAt: 0 }), [offline, offline, offline]],
  ['ended', act.sessionEnded(), [offline, offline, offline]],
])(
  'spec §3.1, §3.2 row 1, §3.2 row 2, §3.2 row 3, contract §3: "%s" leads from each state to one state',
  (_, action, after) => {
    expect([offline, online, kicked].map((before) => connectionReducer(before, action))).toEqual(after);
  },
);

const wasConnectedAfter = (...actions: Parameters<typeof wasConnectedReducer>[1][]) =>
  actions.reduce(wasConnectedReducer, wasConnectedReducer(undefined, { type: '' }));

test('wasConnected stays true from the first answer of the platform to the session’s end', () => {
  const began = act.sessionLaunched({ launchedAt: 0 });
  const [confirmed, closed] = [act.connectionConfirmed(), act.connectionClosed({ code: 1006, reason: '' })];
  expect(wasConnectedAfter(began, closed)).toBe(false);
  expect(wasConnectedAfter(began, confirmed, closed, connectionRequested())).toBe(true);
  for (const end of [act.sessionEnded(), began]) expect(wasConnectedAfter(confirmed, end)).toBe(false);
});

const LAUNCH = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;
const launched = timesOfDayReducer(undefined, act.sessionLaunched({ launchedAt: 7, timeOfDay: LAUNCH }));

test('a moment after the machine slept has the time that was read then, and an earlier one keeps its own; it is not known without a launch, in a launch without a time, after the session, and when no date has it', () => {
  const read = act.timeOfDayRead({ sinceLaunch: 1000, timeOfDay: LAUNCH + 8 * HOUR });
  const slept = timesOfDayReducer(launched, read);
  expect(timeOfDayAt(slept, 999)).toBe(LAUNCH + 999);
  expect(timeOfDayAt(slept, 1500)).toBe(LAUNCH + 8 * HOUR + 500);
  expect([timeOfDayAt([], 0), timeOfDayAt(launched, 1e16)]).toEqual([undefined, undefined]);
  expect(timesOfDayReducer(undefined, act.sessionLaunched({ launchedAt: 7 }))).toEqual([]);
  expect(timesOfDayReducer(launched, act.sessionEnded())).toEqual([]);
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
  expect(countAfter({ person: 'Ada', messages: [message('a')] })).toBe(1);
  const { conversation } = store.getState();
  expect([{ name: 'Ada' }, { text: 'a' }].map(countAfter)).toEqual([2, 3]);
  expect(store.getState().conversation).toBe(conversation);
  expect(countAfter({ notification: true })).toBe(3);
  dispatch(act.sessionEnded());
  expect(store.getState().appliedUpdates).toBe(0);
});

const snapshotOf = (...ids: string[]) => ({ person: 'Ada', messages: ids.map((id) => message(id)) });

function launchedSession() {
  const session = sessionStore();
  session.clock.advance(1234.5);
  session.launch();
  return session;
}

/** Returns the arrivals of a session after these frames, of which each has its own tick. */
const arrivalsAfter = (...frames: readonly (object | 'end')[]) => {
  const { store, clock, receive, dispatch } = launchedSession();
  for (const frame of frames) {
    if (frame === 'end') dispatch(act.sessionEnded());
    else receive(frame);
    clock.advance(100);
  }
  return toArray(store.getState().arrivals);
};

test('contract §3 times: a message arrived at its tick, and a snapshot keeps the times of the messages that it repeats', () => {
  const [one, two] = [message('1'), message('2')];
  expect(arrivalsAfter(one, two)).toEqual([100, 200]);
  // An ignored update changes nothing.
  expect(arrivalsAfter({ text: 'b' }, one)).toEqual([200]);
  // The times of the first snapshot are not known.
  expect(arrivalsAfter(snapshotOf('1', '2'), message('3'))).toEqual([null, null, 200]);
  expect(arrivalsAfter(one, two, snapshotOf('1', '2'))).toEqual([100, 200]);
  expect(arrivalsAfter(one, two, snapshotOf('1'))).toEqual([100]);
  // A further message of such a snapshot arrived with it, but after another id nothing is known.
  expect(arrivalsAfter(snapshotOf('1'), two, snapshotOf('1', '2', '3'))).toEqual([null, 200, 300]);
  expect(arrivalsAfter(one, two, snapshotOf('1', 'x', '2'))).toEqual([100, null, null]);
  expect(arrivalsAfter(one, snapshotOf('2', '1'))).toEqual([null, null]);
  expect(arrivalsAfter(one, 'end')).toEqual([]);
});

const fieldsAfter = (...frames: readonly object[]) =>
  frames
    .map((frame) => act.updateApplied({ update: updateOf(frame), bytes: 1, tick: 0 }))
    .reduce(snapshotFieldsReducer, undefined);

test('contract §5 other fields: keeps the fields of the newest snapshot that Parley does not use', () => {
  const others = { theme: { hue: 4 }, name: 'x' };
  expect(fieldsAfter({ ...snapshotOf(), ...others }, message('a'))).toEqual(others);
  expect(fieldsAfter({ ...snapshotOf(), theme: 1 }, { ...snapshotOf(), room: null })).toEqual({ room: null });
});

const timesOf = ({ released }: ReturnType<typeof sessionStore>) => released.map(({ at }) => at);

test('contract §5: decides at the tick, not on arrival, whether an update is ignored', () => {
  const session = launchedSession();
  session.receive(message('1'));
  session.receive({ text: 'to the message that waits before it' });
  session.clock.advance(1000);
  expect(session.released.map(({ how }) => how)).toEqual(['applied', 'applied']);
});

test('contract §5 ticks, contract §6 release: a tick that is late releases one update and reports it before its action, and the next tick the next one', () => {
  const session = launchedSession();
  for (const name of ['a', 'b', 'c']) session.receive({ name });
  session.clock.stall(104);
  session.clock.advance(0);
  session.clock.stall(346);
  session.clock.advance(150);
  expect(session.late).toEqual([{ t: 450, update: 2, due: 200, tick: 400, released: 1 }]);
  expect(timesOf(session)).toEqual([104, 450, 500]);
});

test('contract §5: a timer that fires slightly early releases nothing; its update waits for the tick', () => {
  let now = 0;
  let timer: { due: number; task: () => void } | undefined;
  const after = (ms: number, task: () => void) => {
    timer = { due: now + ms, task };
    return () => void (timer = undefined);
  };
  const fireAt = (moment: number) => {
    now = moment;
    timer?.task();
  };
  const session = sessionStore({ clock: { now: () => now, after } });
  session.launch();
  session.receive({ name: 'a' });
  fireAt(99.6);
  session.receive({ name: 'b' });
  expect([timesOf(session), timer?.due]).toEqual([[], 100]);
  fireAt(100);
  expect([timesOf(session), timer?.due]).toEqual([[100], 200]);
});

test('spec §3.1, contract §5: a new session has its own ticks, and no updates of the previous session or from outside of a session', () => {
  const session = sessionStore();
  session.receive({ name: 'before the first session' });
  session.launch();
  session.receive(message('1'));
  session.receive(message('2'));
  session.clock.advance(150);
  session.dispatch(act.sessionEnded());
  session.receive({ name: 'after its end' });
  session.clock.advance(33);
  session.launch();
  session.receive({ person: 'Bob' });
  session.clock.advance(1000);
  expect(timesOf(session)).toEqual([100, 100]);
  const { conversation, counts, queue } = session.store.getState();
  expect([conversation.person, conversation.messages.length]).toEqual(['Bob', 0]);
  expect(counts).toMatchObject({ received: 1, applied: 1 });
  expect(queue).toMatchObject({ length: 0, bytes: 0 });
});

const others = [{ person: 'Ada' }, item('x'), { text: 'x' }, {}, { name: 7 }, 'no JSON'];
const frame = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...others) },
  fc.nat(1000).map((id) => message(`${id}`)),
);
const gap = fc.oneof(fc.constant(0), fc.nat(40), fc.constantFrom(100, 50, 1000), fc.nat(400));
const arrivals = fc.array(fc.record({ gap, frame }), { maxLength: 50 });

test('contract §5: releases every update in order at the tick that the rule gives', () => {
  checkAll(100, [arrivals], (list) => {
    const session = sessionStore();
    session.launch();
    const expected: [number, object][] = [];
    let at = 0;
    for (const arrival of list) {
      at += arrival.gap;
      advanceTo(session.clock, at);
      session.receive(arrival.frame);
      const isUpdate = typeof arrival.frame !== 'string' && !('name' in arrival.frame);
      if (isUpdate) expected.push([tickFor(at, expected.at(-1)?.[0] ?? 0), Object(arrival.frame)]);
    }
    session.clock.advance(100 * list.length + 100);
    expect(session.released.map((update) => [update.at, update.frame])).toEqual(expected);
    const { counts, queue } = session.store.getState();
    const rejected = Object.values(counts.rejected).reduce((sum, count) => sum + count, 0);
    expect(counts.received).toBe(list.length);
    expect(counts.applied + counts.ignored + rejected).toBe(counts.received);
    expect(queue).toMatchObject({ length: 0, bytes: 0 });
  });
});

test('an error at a tick loses no later update: releases the next one at the next tick', () => {
  const session = launchedSession();
  session.dispatch(act.updateReceived(Object({ update: { kind: 'message', frame: null }, at: 0, bytes: 7 })));
  session.receive({ person: 'Ada' });
  expect(() => session.clock.advance(100)).toThrow(TypeError);
  session.clock.advance(100);
  expect(timesOf(session)).toEqual([100, 200]);
  expect(session.store.getState()).toMatchObject({
    conversation: { person: 'Ada' },
    queue: { length: 0, bytes: 0 },
    counts: { applied: 1, ignored: 1 },
  });
});

test.each([
  ['spec §8 queue tick: a frame between ticks', 42.5, 0, 100],
  ['contract §5: a frame exactly at a tick', 100, 0, 200],
  ['contract §5: a frame exactly at a tick that released another', 100, 100, 200],
  ['spec §4.4 item 4: a frame while others wait', 42, 300, 400],
  ['contract §5: a frame after empty ticks', 1234, 300, 1300],
])('%s gets the expected tick', (_, ...[at, previous, tick]) => expect(tickFor(at, previous)).toBe(tick));

test('returns the latest tick at or before a moment', () => {
  expect([0, 99.9, 100, 250].map(tickBefore)).toEqual([0, 0, 100, 200]);
});

test('resets every count at the launch and at the end of a session', () => {
  const { store, launch, receive, dispatch } = sessionStore();
  const none = { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected: {} };
  for (const reset of [launch, () => dispatch(act.sessionEnded())]) {
    launch();
    receive('no JSON');
    dispatch(messageSent({ category: 'text' }));
    expect(store.getState().counts).toMatchObject({ received: 1, sent: 1 });
    reset();
    expect(store.getState().counts).toEqual(none);
  }
});
