import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Middleware, Tuple, combineReducers, configureStore } from '@reduxjs/toolkit';
import { beforeEach, expect, test, vi } from 'vitest';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import { dialogOpened, leftBottom, viewChanged } from '#shared/actions/windowActions.ts';
import * as main from '#shared/actions/mainActions.ts';
import { ofWindow, windowsReducer } from '#shared/store/openWindows.ts';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { item, message, updateOf } from '#tests/builders/updateOf.ts';
import { createListeners } from '../store/mainStore.ts';
import { setUpNotifications } from './setUpNotifications.ts';
import { Notification } from 'electron';

const created: object[] = [];
/** The notifications that were shown, as a desktop has them: it keeps no object of ours alive. */
const shown: WeakRef<EventEmitter>[] = [];

vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    static isSupported = () => true;
    constructor(options: object) {
      super();
      created.push(options);
      shown.push(new WeakRef(this));
    }
    show() {}
  },
}));

beforeEach(() => [created, shown].forEach((list) => list.splice(0)));

function desktop() {
  let clicks = 0;
  const listeners = createListeners(mainLog().log, () => {});
  setUpNotifications(listeners, () => (clicks += 1));
  const reducer = combineReducers({ ...sessionReducers, windows: windowsReducer });
  const store = configureStore({ reducer, middleware: () => new Tuple<[Middleware]>(listeners.middleware) });
  const apply = (frame: object) =>
    void store.dispatch(updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 }));
  return { apply, dispatch: store.dispatch, clicks: () => clicks };
}

const NOTIFICATION = { unknown: 1 };

test('references a notification until it is closed or clicked, so that a click on it shows the window', async () => {
  const { apply, clicks } = desktop();
  for (let count = 0; count < 3; count++) apply(NOTIFICATION);
  await nextTurn();
  collectGarbage();
  expect(shown.map((one) => one.deref() !== undefined)).toEqual([true, true, true]);
  shown[0]?.deref()?.emit('close');
  shown[1]?.deref()?.emit('click');
  expect(clicks()).toBe(1);
  await nextTurn();
  collectGarbage();
  expect(shown.map((one) => one.deref() !== undefined)).toEqual([false, false, true]);
  for (let count = 0; count < 101; count++) apply(NOTIFICATION);
  await nextTurn();
  collectGarbage();
  expect(shown.filter((one) => one.deref() !== undefined)).toHaveLength(100);
});

const UNLESS_SEEN = { notify: true, unlessSeen: true };

/** What happens to a window until the person reads the newest message in it. */
const OPENED = [main.windowOpened(1), main.windowShown(1), main.windowFocused(1)];
const READING = [...OPENED, ofWindow(viewChanged({ view: 'conversation' }), 1)];

test.each([
  ['that is not marked, also while the person reads the message', 1, NOTIFICATION, []],
  ['that is marked only in a window that has lost the focus', 1, UNLESS_SEEN, [main.windowBlurred(1)]],
  ['that is marked in a minimized window', 1, UNLESS_SEEN, [main.windowMinimized(1)]],
  ['that is marked when the person has scrolled up', 1, UNLESS_SEEN, [ofWindow(leftBottom(), 1)]],
  ['that is marked behind a dialog', 1, UNLESS_SEEN, [ofWindow(dialogOpened({ dialog: 'export' }), 1)]],
  ['that is marked, but not while the person reads it in a window', 0, UNLESS_SEEN, [main.windowOpened(2)]],
])('spec §6.1 none of these, contract §3 unless seen: shows one %s', (...[, count, frame, changes]) => {
  const { apply, dispatch } = desktop();
  apply(message('a', { context: 'Ada', content: [item('hello')] }));
  for (const action of [...READING, ...changes]) dispatch(action);
  apply(frame);
  expect(created).toHaveLength(count);
});

test('clips a notification of many megabytes, and splits no character; shows none where the desktop has none', () => {
  const body = `${'a'.repeat(499)}👋${'b'.repeat(6_000_000)}`;
  const { apply } = desktop();
  apply(message('a', { context: 'c'.repeat(501), content: [item(body)] }));
  vi.spyOn(Notification, 'isSupported').mockReturnValueOnce(false);
  for (let times = 0; times < 2; times++) apply(NOTIFICATION);
  expect(created).toEqual([{ title: `${'c'.repeat(500)}…`, body: `${'a'.repeat(499)}…` }]);
});
