import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '#tests/builders/property.ts';
import { sessionStore, turnTo } from '#tests/builders/sessionStore.ts';
import { item, message } from '#tests/builders/updates.ts';
import type { Clock } from '../time/clock.ts';
import { connectionClosed, connectionConfirmed, connectionOpened } from './connection.ts';
import { sessionEnded } from './session.ts';
import { tickFor } from './ticks.ts';
import { updateReceived } from './updates.ts';

type Session = ReturnType<typeof sessionStore>;

function launched() {
  const session = sessionStore();
  session.clock.advance(1234.5);
  session.launch();
  return session;
}

const timesOf = ({ released }: Session) => released.map(({ at }) => at);

describe('contract §5: ticks', () => {
  test('spec §4.4 item 4, §8 queue tick: three updates at once, one each at 100, 200 and 300 ms after the launch, in order', () => {
    const session = launched();
    session.receive({ person: 'Ada' });
    session.receive(message('1'));
    session.receive(item('more'));
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([100, 200, 300]);
    expect(session.released.map(({ frame }) => frame)).toEqual([
      { person: 'Ada' },
      message('1'),
      item('more'),
    ]);
  });

  test('spec §8 queue tick: 99 ms after the launch, nothing yet', () => {
    const session = launched();
    session.receive({ person: 'Ada' });
    session.clock.advance(99);
    expect(session.store.getState().conversation.person).toBeNull();
    session.clock.advance(1);
    expect(session.store.getState().conversation.person).toBe('Ada');
  });

  test('contract §5 ticks: a frame exactly at a tick, at the next', () => {
    const session = launched();
    session.clock.advance(100);
    session.receive({ name: 'Ada' });
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([200]);
  });

  test('contract §5: ticks with nothing to release, passed; the next update on the grid', () => {
    const session = launched();
    session.receive({ name: 'Ada' });
    session.clock.advance(730);
    session.receive({ name: 'Bob' });
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([100, 800]);
  });

  test('contract §5: nothing waiting, no timer', () => {
    const session = launched();
    expect(session.clock.nextDue()).toBeUndefined();
    session.receive({ name: 'Ada' });
    session.clock.advance(100);
    expect(session.clock.nextDue()).toBeUndefined();
  });

  test('contract §5 ignored: an update that is ignored, takes its tick', () => {
    const session = launched();
    session.receive({ text: 'to nobody' });
    session.receive({});
    session.receive({ name: 'Ada' });
    session.clock.advance(1000);
    expect(session.released.map(({ at, how }) => [at, how])).toEqual([
      [100, 'ignored'],
      [200, 'ignored'],
      [300, 'applied'],
    ]);
  });

  test('contract §5: whether an update is ignored, decided at its tick and not when it came', () => {
    const session = launched();
    session.receive(message('1'));
    session.receive({ text: 'to the message that waits before it' });
    session.clock.advance(1000);
    expect(session.released.map(({ how }) => how)).toEqual(['applied', 'applied']);
  });

  test('contract §5: a frame that is rejected, takes none', () => {
    const session = launched();
    session.receive('no JSON');
    session.receive({ person: 7 });
    session.receive({ name: 'Ada' });
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([100]);
  });

  test('spec §6.1 row 7: a notification, takes a tick and is applied', () => {
    const session = launched();
    session.receive(message('1'));
    session.receive({});
    session.clock.advance(1000);
    expect(session.released[1]).toEqual({ at: 200, how: 'applied', frame: {} });
  });
});

/** A clock whose timer fires when it is told to, as a busy machine's may. */
function lateClock() {
  let now = 0;
  let timer: { due: number; task: () => void } | undefined;
  const clock: Clock = {
    now: () => now,
    after(ms, task) {
      timer = { due: now + ms, task };
      return () => {
        timer = undefined;
      };
    },
  };
  /** Goes to a moment and fires what waits, due or not. */
  const fireAt = (moment: number) => {
    now = moment;
    const due = timer;
    timer = undefined;
    due?.task();
  };
  return { clock, fireAt, due: () => timer?.due };
}

describe('contract §5: a late tick', () => {
  test('contract §5 ticks: a tick 250 ms late with five waiting, one released and the next at the next tick', () => {
    const late = lateClock();
    const session = sessionStore({ clock: late.clock });
    session.launch();
    for (const name of ['a', 'b', 'c', 'd', 'e']) session.receive({ name });
    late.fireAt(350);
    expect(timesOf(session)).toEqual([350]);
    expect(late.due()).toBe(400);
    late.fireAt(400);
    expect(timesOf(session)).toEqual([350, 400]);
    expect(late.due()).toBe(500);
  });

  test('contract §5: a tick so late that it falls on another, that one is used up', () => {
    const late = lateClock();
    const session = sessionStore({ clock: late.clock });
    session.launch();
    session.receive({ name: 'a' });
    session.receive({ name: 'b' });
    late.fireAt(300);
    expect(late.due()).toBe(400);
  });

  test('contract §5: a timer that fires a moment early, no second release for the same tick', () => {
    const late = lateClock();
    const session = sessionStore({ clock: late.clock });
    session.launch();
    session.receive({ name: 'a' });
    late.fireAt(99.6);
    session.receive({ name: 'b' });
    expect(timesOf(session)).toEqual([99.6]);
    expect(late.due()).toBe(200);
  });
});

describe('contract §5: sessions', () => {
  test('contract §5: a connection that closes and opens again, the queue and its grid go on', () => {
    const session = launched();
    session.dispatch(connectionConfirmed());
    session.receive({ name: 'a' });
    session.receive({ name: 'b' });
    session.clock.advance(150);
    session.dispatch(connectionClosed({ code: 1006, reason: '' }));
    session.clock.advance(500);
    session.dispatch(connectionOpened());
    session.receive({ name: 'c' });
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([100, 200, 700]);
  });

  test('spec §3.1: a session that ends, what waits is never released', () => {
    const session = launched();
    session.receive(message('1'));
    session.receive(message('2'));
    session.clock.advance(100);
    session.dispatch(sessionEnded());
    session.clock.advance(10_000);
    expect(timesOf(session)).toEqual([100]);
    expect(session.clock.nextDue()).toBeUndefined();
    expect(session.store.getState().conversation.messages.length).toBe(0);
  });

  test('contract §5: a frame after the session’s end, never released, in a later session neither', () => {
    const session = launched();
    session.dispatch(sessionEnded());
    session.receive({ name: 'late' });
    session.clock.advance(1000);
    session.launch();
    session.clock.advance(1000);
    expect(session.released).toEqual([]);
  });

  test('contract §5: a frame before any session, never released', () => {
    const session = sessionStore();
    session.receive({ name: 'early' });
    session.clock.advance(1000);
    expect(session.released).toEqual([]);
  });

  test('contract §5: a new session, a grid of its own and nothing of the one before', () => {
    const session = launched();
    session.receive(message('1'));
    session.receive(message('2'));
    session.clock.advance(150);
    session.dispatch(sessionEnded());
    session.clock.advance(33);
    session.launch();
    session.receive({ person: 'Bob' });
    session.clock.advance(1000);
    expect(timesOf(session)).toEqual([100, 100]);
    const { conversation, counts, queue } = session.store.getState();
    expect([conversation.person, conversation.messages.length]).toEqual(['Bob', 0]);
    expect(counts).toMatchObject({ received: 1, applied: 1 });
    expect(queue).toEqual({ length: 0, bytes: 0 });
  });
});

describe('any arrivals', () => {
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

  test('contract §5: any arrivals, each update at the tick that the rule gives, in order, and none lost', () => {
    holds(
      fc.property(arrivals, (list) => {
        const session = sessionStore();
        session.launch();
        const expected: [number, object][] = [];
        let at = 0;
        for (const arrival of list) {
          at += arrival.gap;
          turnTo(session.clock, at);
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
        expect(queue).toEqual({ length: 0, bytes: 0 });
      }),
      300,
    );
  });
});

describe('an error at a tick', () => {
  test('loses no later update: the next one is released at the next tick', () => {
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

  test('in a subscriber, counts the update once and the next one is released', () => {
    const session = launched();
    let isBroken = true;
    session.store.subscribe(() => {
      if (isBroken && session.store.getState().counts.applied === 1) throw new TypeError('a subscriber');
    });
    session.receive({ person: 'Ada' });
    session.receive({ name: 'Bob' });
    expect(() => session.clock.advance(100)).toThrow('a subscriber');
    isBroken = false;
    session.clock.advance(100);
    expect(session.store.getState()).toMatchObject({
      conversation: { person: 'Bob' },
      queue: { length: 0 },
      counts: { applied: 2, ignored: 0 },
    });
  });
});
