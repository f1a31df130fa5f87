import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { message } from '#tests/builders/updateOf.ts';
import { messageDropped, messageSent } from '../actions/mainActions.ts';
import { sessionEnded } from '../actions/sessionActions.ts';

test('contract §5: counts each frame once, as rejected, applied or ignored', () => {
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

test('spec §4.2: counts sent and dropped messages separately', () => {
  const { store, dispatch } = sessionStore();
  dispatch(messageSent({ category: 'text' }));
  dispatch(messageSent({ category: 'file' }));
  dispatch(messageDropped({ category: 'text' }));
  expect(store.getState().counts).toMatchObject({ sent: 2, dropped: 1 });
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
