import { expect, test } from 'vitest';
import { toMessage } from '#shared/conversation/conversation.ts';
import type { Message } from '#shared/protocol/update.ts';
import { hasVisibleLabel } from './hasVisibleLabel.ts';

const ada: Message = { id: '1', modifier: 'ai', context: 'Ada', content: [{ category: 'text', text: 'Hi' }] };
const isVisible = (message: Message, next: Message | undefined) =>
  hasVisibleLabel(toMessage(message), next && toMessage(next));
const avatar = (hash: string) => Object.assign({}, ada, { avatar: { head: 'iVBO', hash } });

test.each<[string, boolean, Message, Message | undefined]>([
  ['the last message', true, ada, undefined],
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
  ['a message before one that has not arrived', true, ada, {}],
  ['a message with an empty list of content', false, { ...ada, content: [] }, undefined],
  ['a message without a list of content', false, { id: '1', modifier: 'ai', context: 'Ada' }, undefined],
])('the label of %s is visible: %s', (_, ...[expected, message, next]) => {
  expect(isVisible(message, next)).toBe(expected);
});
