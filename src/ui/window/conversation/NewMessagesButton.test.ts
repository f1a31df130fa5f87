import { expect, test } from 'vitest';
import { fromSnapshot } from '#shared/conversation/conversation.ts';
import type { PlaceState } from '#shared/actions/windowSchemas.ts';
import { countNewMessages, dividerIndex } from './NewMessagesButton.tsx';

const conversation = (...modifiers: readonly string[]) =>
  fromSnapshot({ person: 'Ada', messages: modifiers.map((modifier) => ({ modifier })) });
const AT_NEWEST: PlaceState = { leftAt: null, divider: null };

test.each<[string, number, PlaceState]>([
  ['nothing while the person is at the newest message', 0, AT_NEWEST],
  ['the messages of others since the person left', 2, { ...AT_NEWEST, leftAt: 1 }],
  ['nothing when nothing has arrived since then', 0, { ...AT_NEWEST, leftAt: 4 }],
])('counts %s', (_, count, place) => {
  expect(countNewMessages(conversation('ai', 'client', 'admin', 'ai'), place)).toBe(count);
});

test('stops counting after 100 messages', () => {
  const many = conversation(...Array.from({ length: 500 }, () => 'ai'));
  expect(countNewMessages(many, { ...AT_NEWEST, leftAt: 1 })).toBe(100);
});

test('the divider is before the first message by others', () => {
  const messages = ['ai', 'client', 'client', 'ai'];
  expect(dividerIndex(conversation(...messages), { leftAt: 1, divider: null })).toBe(3);
  expect(dividerIndex(conversation('ai', 'client'), { leftAt: 1, divider: null })).toBe(null);
});

test.each<[string, number | null, PlaceState]>([
  ['where the person left, while they are away', 2, { leftAt: 2, divider: 1 }],
  ['at the former place, when nothing has arrived since then', 1, { leftAt: 4, divider: 1 }],
  ['at the place of the last return', 3, { leftAt: null, divider: 3 }],
  ['nowhere at first', null, AT_NEWEST],
  ['nowhere before the first message', null, { leftAt: 0, divider: null }],
])('the divider is %s', (_, index, place) => {
  expect(dividerIndex(conversation('ai', 'ai', 'ai', 'ai'), place)).toBe(index);
});
