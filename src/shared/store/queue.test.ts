import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { sessionEnded } from './session.ts';

function withThree() {
  const session = sessionStore();
  session.launch();
  session.receive({ name: 'Ada' });
  session.receive({ text: 'to nobody' });
  session.receive({ name: 'Bo' });
  return session;
}

const BYTES = ['{"name":"Ada"}', '{"text":"to nobody"}', '{"name":"Bo"}'].map((frame) => frame.length);
const [first = 0, second = 0, third = 0] = BYTES;

test('counts the waiting updates and their bytes', () => {
  expect(withThree().store.getState().queue).toEqual({ length: 3, bytes: first + second + third });
});

test('subtracts each applied or ignored update', () => {
  const { store, clock } = withThree();
  clock.advance(100);
  expect(store.getState().queue).toEqual({ length: 2, bytes: second + third });
  clock.advance(100);
  expect(store.getState().queue).toEqual({ length: 1, bytes: third });
  clock.advance(100);
  expect(store.getState().queue).toEqual({ length: 0, bytes: 0 });
});

test('does not count a rejected frame', () => {
  const { store, receive } = withThree();
  receive('no JSON');
  expect(store.getState().queue.length).toBe(3);
});

test('is empty after the end and after the launch of a session', () => {
  const ended = withThree();
  ended.dispatch(sessionEnded());
  const again = withThree();
  again.launch();
  expect([ended.store.getState().queue, again.store.getState().queue]).toEqual([
    { length: 0, bytes: 0 },
    { length: 0, bytes: 0 },
  ]);
});
