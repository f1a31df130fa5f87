import { expect, test } from 'vitest';
import { INLINE_BLOB_LENGTH, NEWEST_PART_LENGTH, WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import type { Update } from '#shared/protocol/update.ts';
import { type ReleasedUpdate, connectionConfirmed, updateApplied } from '#shared/actions/sessionActions.ts';
import { message, messages, snapshot, text } from '#tests/browser/harness/message.ts';
import { actionForWindows } from './actionForWindows.ts';

const LONG = 'A'.repeat(INLINE_BLOB_LENGTH + 4);
/** Returns an applied update with a sequence number, as it is forwarded. */
const applied = (update: Update) => ({
  ...updateApplied({ update, bytes: 1, tick: 0 } satisfies ReleasedUpdate),
  meta: { seq: 7 },
});

test('forwards a snapshot with its number, its length and its newest messages only', () => {
  const all = messages(100_000);
  const forwarded = actionForWindows(applied(snapshot(...all)));
  expect(forwarded).toMatchObject({ type: 'update/snapshotApplied', meta: { seq: 7 } });
  const { person, newest } = Object(Object(forwarded).payload);
  expect(person).toBe('Ada Lovelace');
  const part = JSON.parse(newest);
  expect(part.length).toBe(100_000);
  expect(part.messages).toEqual(all.slice(part.from));
  expect(newest.length).toBeLessThan(1.1 * NEWEST_PART_LENGTH);
});

test('forwards long blobs of a message and of a content item by reference', () => {
  const item = { category: 'file', text: 'a.bin', html: null, blob: LONG };
  for (const update of [
    { kind: 'message', frame: message('a', [item], { avatar: LONG }) },
    { kind: 'content', frame: item },
    snapshot(message('a', [item], { avatar: LONG })),
  ] as const) {
    const sent = JSON.stringify(actionForWindows(applied(update)));
    expect(sent.length).toBeLessThan(1500);
    expect(sent).toContain('a.bin');
  }
});

test('forwards every other action unchanged', () => {
  const others = [
    connectionConfirmed(),
    applied({ kind: 'message', frame: message('a', [text('hi')]) }),
    applied({ kind: 'content', frame: text('hi') }),
    applied({ kind: 'text', frame: { text: LONG } }),
    applied({ kind: 'name', frame: { name: 'Ada' } }),
  ];
  for (const action of others) expect(actionForWindows(action)).toBe(action);
});

const TOO_LONG = '<'.repeat(WINDOW_MESSAGE_LENGTH + 1);

test.each<Update>([
  { kind: 'message', frame: message('a', [text(TOO_LONG)]) },
  { kind: 'content', frame: text(TOO_LONG) },
  { kind: 'text', frame: { text: TOO_LONG } },
  { kind: 'name', frame: { name: TOO_LONG } },
  { kind: 'context', frame: { context: TOO_LONG } },
])('forwards a $kind that is too long for a window as a notice, and reports it', (update) => {
  let count = 0;
  const action = { ...updateApplied({ update, bytes: TOO_LONG.length, tick: 0 }), meta: { seq: 7 } };
  const forwarded = actionForWindows(action, () => count++);
  expect(forwarded).toMatchObject({
    type: action.type,
    meta: { seq: 7 },
    payload: { update: { kind: update.kind } },
  });
  expect(JSON.stringify(forwarded).length).toBeLessThan(1500);
  expect(count).toBe(1);
});

test('forwards a message with long blobs of any size, otherwise unchanged', () => {
  const update: Update = {
    kind: 'message',
    frame: message('a', [{ category: 'file', text: 'a.bin', html: null, blob: LONG }]),
  };
  const action = updateApplied({ update, bytes: WINDOW_MESSAGE_LENGTH + 1, tick: 0 });
  expect(JSON.stringify(actionForWindows(action))).toContain('a.bin');
});
