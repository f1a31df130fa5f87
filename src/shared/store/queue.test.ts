import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { toList } from '../fifo.ts';
import { nextRelease } from './queue.ts';
import { sessionEnded } from '../actions/sessionActions.ts';

const FRAMES = [{ name: 'Ada' }, { text: 'to nobody' }, { name: 'Bo' }];
const BYTES = FRAMES.map((frame) => JSON.stringify(frame).length);
const [first = 0, second = 0, third = 0] = BYTES;

function withThree() {
  const session = sessionStore();
  session.launch();
  for (const frame of FRAMES) session.receive(frame);
  return session;
}

/** Returns the queue of a store, with its waiting frames as a list. */
function queueOf({ store }: ReturnType<typeof sessionStore>) {
  const { waiting, ...queue } = store.getState().queue;
  return { ...queue, waiting: toList(waiting).map(({ update }) => update.frame) };
}

test('contains the waiting updates in their order, their number and their bytes', () => {
  expect(queueOf(withThree())).toEqual({
    length: 3,
    bytes: first + second + third,
    launchedAt: 0,
    lastTick: 0,
    waiting: FRAMES,
  });
});

test('contains when each update was received, and the tick of the oldest one', () => {
  const session = sessionStore();
  session.clock.advance(1000);
  session.launch();
  session.clock.advance(250);
  session.receive({ name: 'Ada' });
  const state = session.store.getState();
  const { queue } = state;
  expect([queue.launchedAt, toList(queue.waiting).map(({ at }) => at), nextRelease(state)?.due]).toEqual([
    1000,
    [250],
    300,
  ]);
});

test('removes each applied or ignored update and keeps the tick that released it', () => {
  const session = withThree();
  session.clock.advance(100);
  expect(queueOf(session)).toMatchObject({
    length: 2,
    bytes: second + third,
    lastTick: 100,
    waiting: FRAMES.slice(1),
  });
  session.clock.advance(100);
  expect(queueOf(session)).toMatchObject({
    length: 1,
    bytes: third,
    lastTick: 200,
    waiting: FRAMES.slice(2),
  });
  session.clock.advance(100);
  expect(queueOf(session)).toMatchObject({ length: 0, bytes: 0, lastTick: 300, waiting: [] });
});

test('does not contain a rejected frame', () => {
  const session = withThree();
  session.receive('no JSON');
  expect(session.store.getState().queue.length).toBe(3);
});

test('is empty after the end and after the launch of a session', () => {
  const ended = withThree();
  ended.dispatch(sessionEnded());
  const again = withThree();
  again.clock.advance(100);
  again.launch();
  const empty = { length: 0, bytes: 0, lastTick: 0, waiting: [] };
  expect([queueOf(ended), queueOf(again)]).toEqual([
    { ...empty, launchedAt: null },
    { ...empty, launchedAt: 100 },
  ]);
});

test('stays empty while there is no session', () => {
  const session = sessionStore();
  const before = session.store.getState().queue;
  session.receive({ name: 'early' });
  expect(session.store.getState().queue).toBe(before);
  session.launch();
  session.dispatch(sessionEnded());
  session.receive({ name: 'late' });
  expect(session.store.getState().queue).toBe(before);
});

test('spec §4.4 item 4: releases one update per tick, in the order of arrival', () => {
  const session = sessionStore();
  const rows: string[] = [];
  session.launch();
  session.store.subscribe(() => {
    const { queue, counts } = session.store.getState();
    const waiting = toList(queue.waiting).map(({ update, at }) => `${update.kind} of ${at} ms`);
    const { received, applied, ignored } = counts;
    rows.push(
      `at ${session.clock.now()} ms, last tick ${queue.lastTick}: [${waiting.join(', ')}] ${queue.bytes} bytes; ${received} received, ${applied} applied, ${ignored} ignored`,
    );
  });
  for (const frame of FRAMES) session.receive(frame);
  session.clock.advance(150);
  session.receive({ name: 'Cy' });
  session.clock.advance(1000);
  session.receive({ name: 'Di' });
  session.clock.advance(100);
  expect(rows).toMatchInlineSnapshot(`
    [
      "at 0 ms, last tick 0: [name of 0 ms] 14 bytes; 1 received, 0 applied, 0 ignored",
      "at 0 ms, last tick 0: [name of 0 ms, text of 0 ms] 34 bytes; 2 received, 0 applied, 0 ignored",
      "at 0 ms, last tick 0: [name of 0 ms, text of 0 ms, name of 0 ms] 47 bytes; 3 received, 0 applied, 0 ignored",
      "at 100 ms, last tick 100: [text of 0 ms, name of 0 ms] 33 bytes; 3 received, 1 applied, 0 ignored",
      "at 150 ms, last tick 100: [text of 0 ms, name of 0 ms, name of 150 ms] 46 bytes; 4 received, 1 applied, 0 ignored",
      "at 200 ms, last tick 200: [name of 0 ms, name of 150 ms] 26 bytes; 4 received, 1 applied, 1 ignored",
      "at 300 ms, last tick 300: [name of 150 ms] 13 bytes; 4 received, 2 applied, 1 ignored",
      "at 400 ms, last tick 400: [] 0 bytes; 4 received, 3 applied, 1 ignored",
      "at 1150 ms, last tick 400: [name of 1150 ms] 13 bytes; 5 received, 3 applied, 1 ignored",
      "at 1200 ms, last tick 1200: [] 0 bytes; 5 received, 4 applied, 1 ignored",
    ]
  `);
});
