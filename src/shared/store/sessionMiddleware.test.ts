import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { advanceTo, sessionStore } from '#tests/builders/sessionStore.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { messageSent } from '../actions/mainActions.ts';
import { sessionEnded, updateReceived } from '../actions/sessionActions.ts';
import { tickFor, tickBefore } from './queue.ts';

type Session = ReturnType<typeof sessionStore>;

function launched() {
  const session = sessionStore();
  session.clock.advance(1234.5);
  session.launch();
  return session;
}

const timesOf = ({ released }: Session) => released.map(({ at }) => at);

test('contract §5: decides at the tick, not on arrival, whether an update is ignored', () => {
  const session = launched();
  session.receive(message('1'));
  session.receive({ text: 'to the message that waits before it' });
  session.clock.advance(1000);
  expect(session.released.map(({ how }) => how)).toEqual(['applied', 'applied']);
});

test('contract §5 ticks, contract §6 release: a tick that is late releases one update and reports it before its action, and the next tick the next one', () => {
  const session = sessionStore();
  session.clock.advance(1234.5);
  session.launch();
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
  session.dispatch(sessionEnded());
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

const frame = fc.oneof(
  fc.constant({ person: 'Ada' }),
  fc.nat(1000).map((id) => message(`${id}`)),
  fc.constant(item('x')),
  fc.constant({ text: 'x' }),
  fc.constant({}),
  fc.constant({ name: 7 }),
  fc.constant('no JSON'),
);
const gap = fc.oneof(fc.constant(0), fc.nat(40), fc.constantFrom(100, 50, 1000), fc.nat(400));
const arrivals = fc.array(fc.record({ gap, frame }), { maxLength: 50 });

test('contract §5: releases every update in order at the tick that the rule gives', () => {
  checkProperty(
    fc.property(arrivals, (list) => {
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
    }),
    100,
  );
});

test('an error at a tick loses no later update: releases the next one at the next tick', () => {
  const session = launched();
  session.dispatch(updateReceived(Object({ update: { kind: 'message', frame: null }, at: 0, bytes: 7 })));
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
])('%s gets the expected tick', (_, ...[at, previous, tick]) => {
  expect(tickFor(at, previous)).toBe(tick);
});

test.each([
  [0, 0],
  [99.9, 0],
  [100, 100],
  [250, 200],
])('returns the latest tick at or before %d: %d', (at, tick) => {
  expect(tickBefore(at)).toBe(tick);
});

test.each(['launch', 'end'])('resets every count at the %s of a session', (moment) => {
  const session = sessionStore();
  session.launch();
  session.receive('no JSON');
  session.dispatch(messageSent({ category: 'text' }));
  if (moment === 'launch') session.launch();
  else session.dispatch(sessionEnded());
  expect(session.store.getState().counts).toEqual({
    received: 0,
    sent: 0,
    dropped: 0,
    applied: 0,
    ignored: 0,
    rejected: {},
  });
});
