import { type Middleware, Tuple, combineReducers, configureStore } from '@reduxjs/toolkit';
import { expect, test, vi } from 'vitest';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { updateApplied } from '#shared/store/updates.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { item, message, updateOf } from '#tests/builders/updateOf.ts';
import { createListeners } from '../store/listeners.ts';
import { setUpNotifications, clipNotification } from './setUpNotifications.ts';

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
  const listeners = createListeners(mainLog().log, () => {});
  setUpNotifications(listeners, () => {});
  const store = configureStore({
    reducer: combineReducers(sessionReducers),
    middleware: () => new Tuple<[Middleware]>(listeners.middleware),
  });
  const title = 'Ada '.repeat(1000);
  const body = 'long '.repeat(100_000);
  const frames = [message('a', { context: title, content: [item(body)] }), { unknown: 1 }];
  for (const frame of frames) store.dispatch(updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 }));
  expect(created).toEqual([clipNotification({ title, body })]);
});

test('leaves a short notification unchanged', () => {
  expect(clipNotification({ title: 'Ada', body: 'hello' })).toEqual({ title: 'Ada', body: 'hello' });
});

test('clips a notification of many megabytes, and splits no character', () => {
  const body = `${'a'.repeat(499)}👋${'b'.repeat(60_000_000)}`;
  expect(clipNotification({ title: 'c'.repeat(501), body })).toEqual({
    title: `${'c'.repeat(500)}…`,
    body: `${'a'.repeat(499)}…`,
  });
});
