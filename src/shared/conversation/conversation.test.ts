import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFrame } from '#tests/builders/updateKinds.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { decodeUpdate } from '../protocol/update.ts';
import {
  emptyConversation,
  fromSnapshot,
  toFrame,
  toMessage,
  toSnapshot,
  withContent,
  withContext,
  withText,
  NO_WORDS,
  wordsOf,
} from './conversation.ts';
import { vectorOf } from './vector.ts';

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

const whole = {
  id: '1',
  modifier: 'ai',
  content: [item('old')],
  context: 'Assistant',
  avatar: '',
  seen: true,
};
const content = vectorOf([item('new')]);

test.each([
  ['all its fields', whole],
  ['a further field', { ...whole, extra: 1 }],
  [
    'its fields in another order',
    { context: 'Assistant', seen: true, avatar: '', content: [item('old')], modifier: 'ai', id: '1' },
  ],
  ['few fields', { id: '1' }],
])('a changed message with %s keeps all others, and their order', (_, frame) => {
  const before = toMessage(frame);
  expect(JSON.stringify(withContent(before, content))).toBe(JSON.stringify({ ...before, content }));
  expect(JSON.stringify(withContext(before, 'new'))).toBe(JSON.stringify({ ...before, context: 'new' }));
});

test.each([
  ['all its fields', { category: 'text', text: 'old', html: '<p>', blob: 'AA==' }],
  ['a further field', { category: 'text', text: 'old', html: '<p>', blob: 'AA==', extra: 1 }],
  ['few fields', { category: 'audio' }],
])('a content item with %s and another text keeps all others, and their order', (_, before) => {
  expect(JSON.stringify(withText(before, 'new'))).toBe(JSON.stringify({ ...before, text: 'new' }));
});

const wordsIn = (fields: object) => wordsOf({ person: 'Ada', ...fields });

test('reads the words that a snapshot names, each once and in one order', () => {
  expect(wordsIn({ words: ['again', 'stop', 'again'] })).toEqual(['stop', 'again']);
  expect(wordsIn({ words: ['stop', 'again', 'continue'] })).toEqual(['stop', 'again', 'continue']);
});

test.each([undefined, null, 'stop', 3, {}, [], ['delete', 7, null, ['stop'], 'STOP']])(
  'reads no words from %j',
  (words) => {
    expect(wordsIn({ words })).toBe(NO_WORDS);
  },
);

test('reads no words from a snapshot without the field', () => {
  expect(wordsIn({})).toBe(NO_WORDS);
});
