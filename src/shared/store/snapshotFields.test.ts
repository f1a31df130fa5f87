import { expect, test } from 'vitest';
import { sessionEnded, sessionLaunched, updateApplied } from '../actions/sessionActions.ts';
import { message } from '#tests/browser/harness/message.ts';
import { snapshotFieldsReducer } from './conversation.ts';

const snapshotWith = (fields: object) =>
  updateApplied({
    update: { kind: 'snapshot', frame: { person: 'Ada', messages: [], ...fields } },
    bytes: 1,
    tick: 0,
  });
const after = (...actions: readonly { readonly type: string }[]) =>
  actions.reduce(snapshotFieldsReducer, undefined);

test('contract §5 other fields: keeps the fields of the newest snapshot that Parley does not use', () => {
  const other = updateApplied({ update: { kind: 'message', frame: message('a', []) }, bytes: 1, tick: 0 });
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
