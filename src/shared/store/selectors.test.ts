import { describe, expect, test } from 'vitest';
import { conversationOf, item, message } from '#tests/builders/updates.ts';
import { type Conversation, emptyConversation } from '../conversation/conversation.ts';
import { sharedPart, sharedReducer } from './rootReducer.ts';
import {
  notificationText,
  selectConnection,
  selectCurrentMessage,
  selectInitials,
  selectMessages,
} from './selectors.ts';

describe('spec §6.1 row 7: what a notification says', () => {
  test.each([
    [
      'the current message’s context, the text of its last item',
      conversationOf(message('1'), message('2', { context: 'Ada', content: [item('a'), item('b')] })),
      { title: 'Ada', body: 'b' },
    ],
    [
      'a context and a text that came later, those',
      conversationOf(message('1'), { context: 'Typing' }, { text: 'changed' }),
      { title: 'Typing', body: 'changed' },
    ],
    [
      'no context, an empty title',
      conversationOf({ modifier: 'ai', content: [item('a')] }),
      { title: '', body: 'a' },
    ],
    [
      'a text of null, an empty body',
      conversationOf(message('1'), { text: null }),
      { title: 'Assistant', body: '' },
    ],
    [
      'no item, an empty body',
      conversationOf(message('1', { content: [] })),
      { title: 'Assistant', body: '' },
    ],
    ['no message, both empty', emptyConversation, { title: '', body: '' }],
  ])('spec §6.1 row 7: %s', (_, conversation, expected) => {
    expect(notificationText(conversation)).toEqual(expected);
  });
});

const stateWith = (conversation: Conversation) => ({
  ...sharedReducer(undefined, { type: '@@init' }),
  conversation,
});

test('spec §2.6: a snapshot, its messages, its newest one and its person’s initials', () => {
  const conversation = conversationOf({ person: 'Ada Lovelace', messages: [message('1'), message('2')] });
  const state = stateWith(conversation);
  expect(selectMessages(state)).toBe(conversation.messages);
  expect(selectCurrentMessage(state)?.id).toBe('2');
  expect(selectInitials(state)).toBe('AL');
});

test('no snapshot yet, no initials and no current message', () => {
  const state = stateWith(emptyConversation);
  expect([selectInitials(state), selectCurrentMessage(state)]).toEqual(['', undefined]);
  expect(selectConnection(state)).toEqual({ status: 'disconnected', closedBecause: null });
});

test('contract §4: a larger state, only what is shared goes to a window', () => {
  const state = { ...stateWith(emptyConversation), account: 'secret', counts: 1 };
  expect(Object.keys(sharedPart(state))).toEqual([
    'sequence',
    'connection',
    'conversation',
    'preferences',
    'audio',
    'backlog',
  ]);
});
