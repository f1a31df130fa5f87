import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { fromSnapshot } from '#shared/conversation/conversation.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import { leftBottom, reachedBottom, viewChanged } from '#shared/actions/windowActions.ts';
import { followPlace } from './followPlace.ts';

/** Follows the place in a window with the focus. */
function watchedWindow() {
  const events = new EventEmitter();
  const changes = new EventEmitter();
  const addEventListener = (type: string, listener: () => void) => void events.on(type, listener);
  let hasFocus = true;
  let visibilityState: DocumentVisibilityState = 'visible';
  let own = windowStateReducer(initialWindowState, viewChanged({ view: 'conversation' }));
  let count = 0;
  const dispatched: WindowStateAction[] = [];
  const change = (action?: WindowStateAction) => {
    if (action) own = windowStateReducer(own, action);
    changes.emit('change');
  };
  const document = {
    hasFocus: () => hasFocus,
    get visibilityState() {
      return visibilityState;
    },
    addEventListener,
  };
  followPlace(
    { document, addEventListener },
    {
      getState: () => ({
        own,
        conversation: fromSnapshot({ person: 'Ada', messages: Array.from({ length: count }, () => ({})) }),
      }),
      dispatch(action) {
        dispatched.push(action);
        change(action);
      },
      subscribe: (listener) => changes.on('change', listener),
    },
  );
  return {
    change,
    arrive(messages: number) {
      count += messages;
      change();
    },
    focus(is: boolean) {
      hasFocus = is;
      events.emit(is ? 'focus' : 'blur');
    },
    show(is: boolean) {
      visibilityState = is ? 'visible' : 'hidden';
      events.emit('visibilitychange');
    },
    /** Returns the actions since the last call. */
    commands: () => dispatched.splice(0).map(({ type, payload }) => [type, payload]),
  };
}

const left = (messages: number, isAway: boolean) => ['place/left', { messages, isAway }];
const returned = (messages: number) => ['place/returned', { messages }];

test('the person leaves with the focus, and returns with it', () => {
  const window = watchedWindow();
  window.arrive(2);
  window.focus(false);
  window.arrive(3);
  expect(window.commands()).toEqual([left(2, true)]);
  window.focus(true);
  window.arrive(1);
  expect(window.commands()).toEqual([returned(5)]);
});

test('the person leaves when the window is not visible', () => {
  const window = watchedWindow();
  window.arrive(2);
  window.show(false);
  window.focus(false);
  window.focus(true);
  expect(window.commands()).toEqual([left(2, true)]);
  window.show(true);
  expect(window.commands()).toEqual([returned(2)]);
});

test('the person leaves by scrolling up, and returns at the bottom of a window with the focus', () => {
  const window = watchedWindow();
  window.arrive(2);
  window.change(leftBottom());
  window.focus(false);
  window.change(reachedBottom());
  expect(window.commands()).toEqual([left(2, false)]);
  window.focus(true);
  expect(window.commands()).toEqual([returned(2)]);
});

test('nothing is left without messages or outside of the conversation', () => {
  const window = watchedWindow();
  window.focus(false);
  window.focus(true);
  window.arrive(1);
  window.change(viewChanged({ view: 'login' }));
  window.focus(false);
  expect(window.commands()).toEqual([]);
});
