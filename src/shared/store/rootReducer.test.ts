import { expect, test } from 'vitest';
import { conversationOf, item, message } from '#tests/builders/updateOf.ts';
import { notificationText } from '../conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '../conversation/conversation.ts';
import { sharedPart, sharedReducer, selectConnection, selectInitials } from './rootReducer.ts';

test.each([
  [
    'has the current message’s context and its last item’s text',
    conversationOf(message('1'), message('2', { context: 'Ada', content: [item('a'), item('b')] })),
    { title: 'Ada', body: 'b' },
  ],
  [
    'has a context and a text that arrived later',
    conversationOf(message('1'), { context: 'Typing' }, { text: 'changed' }),
    { title: 'Typing', body: 'changed' },
  ],
  [
    'has an empty title without a context',
    conversationOf({ modifier: 'ai', content: [item('a')] }),
    { title: '', body: 'a' },
  ],
  [
    'has an empty body when the text is null',
    conversationOf(message('1'), { text: null }),
    { title: 'Assistant', body: '' },
  ],
  [
    'has an empty body without an item',
    conversationOf(message('1', { content: [] })),
    { title: 'Assistant', body: '' },
  ],
  ['is empty without a message', emptyConversation, { title: '', body: '' }],
])('spec §6.1 none of these: a notification’s text %s', (_, conversation, expected) => {
  expect(notificationText(conversation)).toEqual(expected);
});

const stateWith = (conversation: Conversation) => ({
  ...sharedReducer(undefined, { type: '@@init' }),
  conversation,
});

test('spec §2.6: selects the person’s initials', () => {
  const state = stateWith(conversationOf({ person: 'Ada Lovelace', messages: [message('1')] }));
  expect(selectInitials(state)).toBe('AL');
});

test('selects no initials before the first snapshot', () => {
  const state = stateWith(emptyConversation);
  expect(selectInitials(state)).toBe('');
  expect(selectConnection(state)).toEqual({ status: 'disconnected', closedBecause: null });
});

test('contract §4: a window gets only the shared part of a larger state', () => {
  const state = { ...stateWith(emptyConversation), account: 'secret', counts: 1 };
  expect(Object.keys(sharedPart(state))).toEqual([
    'sequence',
    'timesOfDay',
    'notices',
    'words',
    'connection',
    'wasConnected',
    'conversation',
    'arrivals',
    'appliedUpdates',
    'preferences',
    'audio',
    'backlog',
  ]);
});
