import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { sessionEnded } from '../actions/sessionActions.ts';

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
  dispatch(sessionEnded());
  expect(store.getState().appliedUpdates).toBe(0);
});
