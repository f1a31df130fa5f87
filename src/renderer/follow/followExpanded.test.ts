import { expect, test } from 'vitest';
import { fromSnapshot, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { expansionChanged } from '#shared/actions/windowActions.ts';
import { followExpanded } from './followExpanded.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';

const EXPANDED = { message: 1, id: 'b', item: 0, part: 'markup', steps: 1 } as const;

const conversationOf = (...ids: string[]) =>
  fromSnapshot({ person: 'Ada', messages: ids.map((id) => ({ id })) });

/** Returns what is expanded after the conversation has become another one. */
function expandedAfter(next: ReturnType<typeof conversationOf>) {
  const store = createWindowStateStore();
  let conversation = conversationOf('a', 'b');
  const listeners: (() => void)[] = [];
  store.dispatch(expansionChanged(EXPANDED));
  const getState = () => ({ ...store.getState(), conversation });
  followExpanded({
    getState,
    dispatch: store.dispatch,
    subscribe: (listener) => listeners.push(listener),
  });
  const notify = () => listeners.forEach((listener) => listener());
  notify();
  conversation = next;
  notify();
  return store.getState().own.expanded;
}

test.each([
  ['without it', conversationOf('a')],
  ['with another message at its place', conversationOf('a', 'c')],
])('hides what is expanded of a message in a conversation %s', (_, next) => {
  expect(expandedAfter(next)).toEqual([]);
});

test.each([
  ['with the same message', conversationOf('a', 'b', 'c')],
  ['in which it is on its way', { person: 'Ada', messages: vectorOf([MISSING_MESSAGE, MISSING_MESSAGE]) }],
])('keeps what is expanded of a message in a conversation %s', (_, next) => {
  expect(expandedAfter(next)).toEqual([EXPANDED]);
});
