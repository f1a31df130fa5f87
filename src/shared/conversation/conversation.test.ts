import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFrame } from '#tests/builders/anyFrame.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { decodeUpdate } from '../protocol/decodeUpdate.ts';
import { emptyConversation, fromSnapshot, toFrame, toMessage, toSnapshot } from './conversation.ts';

test('has no person and no messages at first', () => {
  expect(toSnapshot(emptyConversation)).toEqual({ person: null, messages: [] });
});

test('spec §2.6 messages, §2.5 content: a snapshot with hundreds of messages and items survives the conversion and back', () => {
  const messages = Array.from({ length: 100 }, (_, i) =>
    message(`${i}`, { content: Array.from({ length: i }, (__, n) => item(`${n}`)) }),
  );
  expect(toSnapshot(fromSnapshot({ person: 'Ada', messages }))).toEqual({ person: 'Ada', messages });
});

test('contract §5: the conversion and back keep a message’s fields and their order', () => {
  checkProperty(
    fc.property(anyFrame(), (text) => {
      const update = decodeUpdate(text);
      fc.pre(update.kind === 'message');
      const frame = update.kind === 'message' ? update.frame : {};
      expect(JSON.stringify(toFrame(toMessage(frame)))).toBe(JSON.stringify(frame));
    }),
    300,
  );
});

test('contract §5: the conversion and back add no missing content', () => {
  expect(Object.hasOwn(toMessage({ id: '1' }), 'content')).toBe(false);
  expect(Object.hasOwn(toFrame({ id: '1' }), 'content')).toBe(false);
  expect(toFrame(toMessage({ id: '1', content: [] }))).toEqual({ id: '1', content: [] });
});
