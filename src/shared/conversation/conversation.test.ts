import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFrame } from '#tests/builders/mainFrames.ts';
import { holds } from '#tests/builders/property.ts';
import { item, message } from '#tests/builders/updates.ts';
import { decodeUpdate } from '../protocol/decodeUpdate.ts';
import { emptyConversation, fromSnapshot, toFrame, toMessage, toSnapshot } from './conversation.ts';

test('nothing has come yet, no person and no messages', () => {
  expect(toSnapshot(emptyConversation)).toEqual({ person: null, messages: [] });
});

test('spec §2.6 messages, §2.5 content: a snapshot with hundreds of messages and items, there and back the same', () => {
  const messages = Array.from({ length: 100 }, (_, i) =>
    message(`${i}`, { content: Array.from({ length: i }, (__, n) => item(`${n}`)) }),
  );
  expect(toSnapshot(fromSnapshot({ person: 'Ada', messages }))).toEqual({ person: 'Ada', messages });
});

test('contract §5: a message as it came, there and back with its fields in their order', () => {
  holds(
    fc.property(anyFrame(), (text) => {
      const update = decodeUpdate(text);
      fc.pre(update.kind === 'message');
      const frame = update.kind === 'message' ? update.frame : {};
      expect(JSON.stringify(toFrame(toMessage(frame)))).toBe(JSON.stringify(frame));
    }),
    300,
  );
});

test('contract §5: content that is missing, still missing there and back', () => {
  expect(Object.hasOwn(toMessage({ id: '1' }), 'content')).toBe(false);
  expect(Object.hasOwn(toFrame({ id: '1' }), 'content')).toBe(false);
  expect(toFrame(toMessage({ id: '1', content: [] }))).toEqual({ id: '1', content: [] });
});
