import { constants } from 'node:buffer';
import { expect, test } from 'vitest';
import type { ConversationPart } from '#shared/conversation/conversation.ts';
import { PART_BLOBS_LENGTH, PART_LENGTH, WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import type { Message } from '#shared/protocol/update.ts';
import { message, messages, text } from '#tests/browser/harness/message.ts';
import { partForWindows } from './actionForWindows.ts';

const part = (all: readonly Message[], before: number, limit: number): ConversationPart =>
  JSON.parse(partForWindows({ length: all.length, at: (index) => all[index] ?? {} }, { before, limit }));

const size = (list: readonly Message[]) => list.map((one) => JSON.stringify(one)).join('').length;

const withBlob = (length: number) =>
  message('a', [{ category: 'file', text: 'a.bin', blob: 'A'.repeat(length) }]);

test('contains as many messages before an index as fit', () => {
  const all = messages(1000);
  const { length, from, messages: taken } = part(all, 900, 10_000);
  expect(length).toBe(1000);
  expect(taken).toEqual(all.slice(from, 900));
  expect(size(taken.slice(1))).toBeLessThan(10_000);
  expect(size(taken)).toBeGreaterThanOrEqual(10_000);
});

test('contains all messages when they fit', () => {
  const all = messages(10);
  expect(part(all, 10, 1_000_000)).toEqual({ length: 10, from: 0, messages: all });
});

test('contains a message that is longer than a part', () => {
  const all = [message('long', [text('x'.repeat(5000))]), ...messages(1)];
  expect(part(all, 1, 1000)).toMatchObject({ from: 0, messages: [all[0]] });
});

test('is empty for a conversation without messages', () => {
  expect(part([], 0, 1000)).toEqual({ length: 0, from: 0, messages: [] });
});

test('contains a limited number of blob references, because each blob is hashed', () => {
  const all = Array.from({ length: 40 }, () => withBlob(1_000_000));
  const { from } = part(all, 40, 1_000_000);
  expect(40 - from).toBe(Math.ceil(PART_BLOBS_LENGTH / 1_000_000));
});

test('replaces a message that is too long by a notice, once, and leaves the others unchanged', () => {
  const long = message('long', [text('<'.repeat(WINDOW_MESSAGE_LENGTH))]);
  const all = [long, ...messages(1)];
  let count = 0;
  const at = (index: number) => all[index] ?? {};
  const json = partForWindows({ length: 2, at }, { before: 2, limit: 10_000, onTooLong: () => count++ });
  expect(JSON.parse(json).messages).toEqual([
    expect.objectContaining({ id: 'long', content: [expect.objectContaining({ category: 'text' })] }),
    all[1],
  ]);
  expect(json).toContain('too long to be shown');
  expect(count).toBe(1);
});

test('is never longer than the bridge can encode', () => {
  // Encoding multiplies a character’s length by 6 at most.
  expect(6 * (WINDOW_MESSAGE_LENGTH + 2 * PART_LENGTH)).toBeLessThan(constants.MAX_STRING_LENGTH);
});
