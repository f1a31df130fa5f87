import { expect, test } from 'vitest';
import { toMessage } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import type { Message } from '#shared/protocol/update.ts';
import { hasVisibleLabel, hasVisibleName } from './MessageList.tsx';

const ada: Message = { id: '1', modifier: 'ai', context: 'Ada', content: [{ category: 'text', text: 'Hi' }] };
const isVisible = (...messages: readonly Message[]) => hasVisibleLabel(vectorOf(messages.map(toMessage)), 0);
const empty: Message = { id: '3', modifier: 'client', context: 'Bob', content: [] };
const avatar = (hash: string) => Object.assign({}, ada, { avatar: { head: 'iVBO', hash } });

test.each<[string, boolean, ...Message[]]>([
  ['the last message', true, ada],
  ['a message before one of the same sender', false, ada, { ...ada, id: '2' }],
  ['a message before one of another modifier', true, ada, { ...ada, modifier: 'client' }],
  ['a message before one with another label', true, ada, { ...ada, context: 'Bob' }],
  [
    'a message without a label before one with an empty label',
    false,
    { ...ada, context: '' },
    { modifier: 'ai', content: [{}] },
  ],
  ['a message before one with another avatar', true, ada, { ...ada, avatar: 'iVBO' }],
  ['a message before one with the same avatar', false, avatar('a'), avatar('a')],
  ['a message before one with another long avatar', true, avatar('a'), avatar('b')],
  ['a message before one without content', true, ada, { ...ada, content: [] }],
  ['a message before empty ones and one of the same sender', false, ada, empty, { id: '4' }, ada],
  ['a message before an empty one and one of another sender', true, ada, empty, { ...ada, context: 'Bob' }],
  [
    'a message before more empty ones than are skipped',
    true,
    ada,
    ...Array.from({ length: 40 }, () => empty),
    ada,
  ],
  ['a message before one that has not arrived', true, ada, {}],
  ['a message with an empty list of content', false, { ...ada, content: [] }],
  ['a message without a list of content', false, { id: '1', modifier: 'ai', context: 'Ada' }],
])('the label of %s is visible: %s', (_, expected, ...messages) => {
  expect(isVisible(...messages)).toBe(expected);
});

const MINUTE = 60_000;
/** Is on the same day everywhere as an hour later. */
const NOON = Date.UTC(2026, 5, 1, 11);
/** Returns the times of messages, in minutes after noon. */
const at =
  (...minutes: readonly (number | undefined)[]) =>
  (index: number) => {
    const after = minutes[index];
    return after === undefined ? undefined : NOON + after * MINUTE;
  };
const own: Message = { ...ada, modifier: 'client', context: 'Bob' };

test.each<[string, boolean, (number | undefined)[]]>([
  ['within 5 minutes', false, [0, 5]],
  ['after more than 5 minutes', true, [0, 6]],
  ['on the next day', true, [0, 24 * 60]],
  ['at an unknown time', false, [0, undefined]],
])('shows the label before a message of the same sender %s: %s', (_, expected, minutes) => {
  const messages = vectorOf([ada, ada].map(toMessage));
  expect(hasVisibleLabel(messages, 0, at(...minutes))).toBe(expected);
});

test.each<[string, boolean, { list: readonly Message[]; minutes: (number | undefined)[] }]>([
  ['for the first time', true, { list: [ada, own], minutes: [0, 1] }],
  ['once more on the same day', false, { list: [own, ada, own], minutes: [0, 1, 30] }],
  ['on the next day', true, { list: [own, ada, own], minutes: [0, 1, 24 * 60] }],
  ['at the end of the first group', true, { list: [own, own], minutes: [0, 1] }],
  ['at the end of the second group', false, { list: [own, own], minutes: [0, 30] }],
  ['when no time is known', false, { list: [own, ada, own], minutes: [] }],
  ['with another name', true, { list: [own, ada, { ...own, context: 'Robert' }], minutes: [0, 1, 2] }],
])('shows the person’s own name %s: %s', (_, expected, { list, minutes }) => {
  const messages = vectorOf(list.map(toMessage));
  expect(hasVisibleName(messages, list.length - 1, at(...minutes))).toBe(expected);
});

test('shows the names of others in each of their labels', () => {
  expect(hasVisibleName(vectorOf([ada, own, ada].map(toMessage)), 2)).toBe(true);
});
