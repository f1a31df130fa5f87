import { type Middleware, Tuple, combineReducers, configureStore } from '@reduxjs/toolkit';
import { expect, test, vi } from 'vitest';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { updateApplied } from '#shared/store/updates.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { item, message, updateOf } from '#tests/builders/updates.ts';
import { createListeners } from '../store/listeners.ts';
import { setUpNotifications } from './setUpNotifications.ts';
import { shownNotification } from './shownNotification.ts';

const { created } = vi.hoisted(() => ({ created: new Array<object>() }));

vi.mock('electron', () => ({
  Notification: class {
    static isSupported = () => true;
    constructor(options: object) {
      created.push(options);
    }
    on() {}
    show() {}
  },
}));

test('clips the title and the body of a notification before the desktop receives them', () => {
  const listeners = createListeners(mainLog().log);
  setUpNotifications(listeners, () => {});
  const store = configureStore({
    reducer: combineReducers(sessionReducers),
    middleware: () => new Tuple<[Middleware]>(listeners.middleware),
  });
  const title = 'Ada '.repeat(1000);
  const body = 'long '.repeat(100_000);
  const frames = [message('a', { context: title, content: [item(body)] }), { unknown: 1 }];
  for (const frame of frames) store.dispatch(updateApplied({ update: updateOf(frame), bytes: 0 }));
  expect(created).toEqual([shownNotification({ title, body })]);
});
