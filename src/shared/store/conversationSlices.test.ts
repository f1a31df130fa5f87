import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '../actions/sessionActions.ts';
import { toArray } from '../conversation/vector.ts';
import { snapshotFieldsReducer } from './conversationSlices.ts';

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

/** Returns the arrivals of a session after these frames, of which each has its own tick. */
function arrivalsAfter(...frames: readonly object[]) {
  const session = sessionStore();
  session.clock.advance(50);
  session.launch();
  for (const frame of frames) {
    session.receive(frame);
    session.clock.advance(100);
  }
  const times = () => toArray(session.store.getState().arrivals);
  return { ...session, times };
}

const snapshot = (...ids: (string | undefined)[]) => ({
  person: 'Ada',
  messages: ids.map((id) => (id === undefined ? { modifier: 'ai' } : message(id))),
});

test.each<[string, object[], (number | null)[]]>([
  ['a message arrived at its tick', [message('1'), message('2')], [100, 200]],
  ['content that follows changes nothing', [message('1'), item('a'), { text: 'b' }, { context: 'c' }], [100]],
  ['an ignored update changes nothing', [{ text: 'b' }, message('1')], [200]],
  [
    'the time of a message in the first snapshot is not known',
    [snapshot('1', '2'), message('3')],
    [null, null, 200],
  ],
  [
    'a snapshot that repeats the conversation keeps the times',
    [message('1'), message('2'), snapshot('1', '2')],
    [100, 200],
  ],
  [
    'a further message of such a snapshot arrived with it',
    [snapshot('1'), message('2'), snapshot('1', '2', '3')],
    [null, 200, 300],
  ],
  ['a snapshot with fewer messages keeps theirs', [message('1'), message('2'), snapshot('1')], [100]],
  [
    'after another id nothing is known',
    [message('1'), message('2'), snapshot('1', 'x', '2')],
    [100, null, null],
  ],
  ['a snapshot of another conversation keeps nothing', [message('1'), snapshot('2', '1')], [null, null]],
  ['messages without an id are not known', [{ modifier: 'ai' }, snapshot(undefined)], [null]],
  ['a snapshot without messages is empty', [message('1'), { person: 'Ada' }], []],
])('%s', (_, frames, times) => {
  expect(arrivalsAfter(...frames).times()).toEqual(times);
});

test('there is one arrival for each message, also for messages that arrive in one burst', () => {
  const anyUpdate = fc.oneof(
    fc.constantFrom(item('a'), { text: 'b' }, { person: 'Ada' }),
    fc.constantFrom('1', '2', '3').map((id) => message(id)),
    fc.array(fc.constantFrom('1', '2', '3')).map((ids) => snapshot(...ids)),
  );
  checkProperty(
    fc.property(fc.array(anyUpdate), fc.array(anyUpdate), (frames, burst) => {
      const session = arrivalsAfter(...frames);
      for (const frame of burst) session.receive(frame);
      session.clock.advance(100 * burst.length);
      const times = session.times();
      expect(times).toHaveLength(session.store.getState().conversation.messages.length);
      const known = times.filter((time) => time !== null);
      expect(known).toEqual([...known].sort((a, b) => a - b));
    }),
  );
});

test('the end of the session drops the times', () => {
  const session = arrivalsAfter(message('1'));
  session.dispatch(sessionEnded());
  expect(session.times()).toEqual([]);
});

const snapshotWith = (fields: object) =>
  updateApplied({
    update: { kind: 'snapshot', frame: { person: 'Ada', messages: [], ...fields } },
    bytes: 1,
    tick: 0,
  });
const after = (...actions: readonly { readonly type: string }[]) =>
  actions.reduce(snapshotFieldsReducer, undefined);

test('contract §5 other fields: keeps the fields of the newest snapshot that Parley does not use', () => {
  const other = updateApplied({ update: { kind: 'message', frame: message('a') }, bytes: 1, tick: 0 });
  expect(after(snapshotWith({ theme: { hue: 4 }, name: 'x' }), other)).toEqual({
    theme: { hue: 4 },
    name: 'x',
  });
  expect(after(snapshotWith({ theme: 1 }), snapshotWith({ room: null }))).toEqual({ room: null });
});

test.each([sessionLaunched({ launchedAt: 0 }), sessionEnded()])(
  'discards the fields of a snapshot at $type',
  (action) => {
    expect(after(snapshotWith({ theme: 1 }), action)).toEqual({});
  },
);
