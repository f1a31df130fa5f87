import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { message } from '#tests/builders/updates.ts';
import { messageDropped, messageSent } from './outgoing.ts';

test('contract §5: frames of every fate, each counted once as what became of it', () => {
  const session = sessionStore();
  session.launch();
  session.receive({ text: 'to nobody' });
  session.receive(message('1'));
  session.receive({});
  session.receive('no JSON');
  session.receive('{');
  session.receive({ person: 7 });
  session.clock.advance(1000);
  expect(session.store.getState().counts).toEqual({
    received: 6,
    sent: 0,
    dropped: 0,
    applied: 2,
    ignored: 1,
    rejected: { notJson: 2, wrongType: 1 },
  });
});

test('spec §4.2: messages sent and dropped, counted apart', () => {
  const { store, dispatch } = sessionStore();
  dispatch(messageSent({ category: 'text' }));
  dispatch(messageSent({ category: 'file' }));
  dispatch(messageDropped({ category: 'text' }));
  expect(store.getState().counts).toMatchObject({ sent: 2, dropped: 1 });
});

test('a session launched, every count at 0 again', () => {
  const session = sessionStore();
  session.launch();
  session.receive('no JSON');
  session.dispatch(messageSent({ category: 'text' }));
  session.launch();
  expect(session.store.getState().counts).toEqual({
    received: 0,
    sent: 0,
    dropped: 0,
    applied: 0,
    ignored: 0,
    rejected: {},
  });
});
