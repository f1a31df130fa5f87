import { expect, test } from 'vitest';
import { toMessage } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import type { Message } from '#shared/protocol/update.ts';
import { hasVisibleLabel } from './MessageList.tsx';

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
