import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { WINDOW_RATE } from '#shared/limits.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import { mainStore } from '#tests/builders/mainStore.ts';

class FakeWindow extends EventEmitter {
  state = { visible: false, minimized: false, focused: false };
  readonly setTitle = vi.fn<(title: string) => void>();
  isVisible = () => this.state.visible;
  isMinimized = () => this.state.minimized;
  isFocused = () => this.state.focused;

  become(event: string, change: Partial<FakeWindow['state']>) {
    Object.assign(this.state, change);
    this.emit(event);
  }
}

/** Creates main's store with `count` windows without the focus. */
async function start(count: number) {
  const { store, listeners, clock } = await mainStore();
  const { followWindow } = await import('./openWindow.ts');
  const { showUnread } = await import('../desktop/setUpDesktop.ts');
  const app = { setBadgeCount: vi.fn<(count?: number) => boolean>() };
  const windows = Array.from({ length: count }, () => new FakeWindow());
  showUnread({ app, listeners, windows: () => windows });
  windows.forEach((window, index) => {
    followWindow({ store, clock }, window, index + 1);
    window.become('show', { visible: true });
  });
  return {
    app,
    windows,
    clock,
    store,
    state: () => store.getState().windows,
    attention: () => store.getState().attention,
    arrive() {
      const update = decodeUpdate('{"id":"1","modifier":"ai","content":[]}');
      if (update.kind !== 'rejected') store.dispatch(updateApplied({ update, bytes: 1, tick: 0 }));
    },
  };
}

test.each([
  ['loses the focus', 'blur', { focused: false }],
  ['is hidden', 'hide', { visible: false }],
  ['is minimised', 'minimize', { minimized: true }],
  ['is closed', 'closed', {}],
])('is not watched any more when the focused window %s', async (_, event, change) => {
  const { windows, attention } = await start(1);
  windows[0]?.become('focus', { focused: true });
  expect(attention()).toEqual({ isWatched: true, unread: 0 });
  windows[0]?.become(event, change);
  expect(attention()).toEqual({ isWatched: false, unread: 0 });
});

test('dispatches a limited number of changes, and the last state later', async () => {
  const { windows, state, clock, store } = await start(1);
  let dispatched = 0;
  store.subscribe(() => dispatched++);
  for (let at = 0; at < 1000; at++) windows[0]?.become('focus', { focused: at % 2 === 0 });
  windows[0]?.become('blur', { focused: false });
  expect(dispatched).toBeLessThan(4 * WINDOW_RATE.burst);
  expect(state()[1]?.isFocused).toBe(true);
  clock.advance(1000);
  expect(state()[1]?.isFocused).toBe(false);
  expect(clock.nextDue()).toBeUndefined();
});

test('counts no unread message when the focus moves to the other window', async () => {
  const { windows, attention, arrive } = await start(2);
  windows[0]?.become('focus', { focused: true });
  windows[1]?.become('focus', { focused: true });
  windows[0]?.become('blur', { focused: false });
  arrive();
  expect(attention()).toEqual({ isWatched: true, unread: 0 });
});

test('shows unread messages on the badge and in every title until a window gets the focus', async () => {
  const { app, windows, arrive } = await start(2);
  arrive();
  arrive();
  expect(app.setBadgeCount.mock.calls).toEqual([[1], [2]]);
  windows[1]?.become('focus', { focused: true });
  expect(app.setBadgeCount.mock.lastCall).toEqual([0]);
  for (const { setTitle } of windows) {
    expect(setTitle.mock.calls).toEqual([['(1) Parley'], ['(2) Parley'], ['Parley']]);
  }
  arrive();
  expect(app.setBadgeCount).toHaveBeenCalledTimes(3);
});

test('dispatches an action for each change of a window, and none for an event without a change', async () => {
  const { windows, state } = await start(2);
  const [window] = windows;
  expect(Object.keys(state())).toEqual(['1', '2']);
  window?.become('focus', { focused: true });
  window?.become('minimize', { minimized: true, focused: false });
  expect(state()[1]).toMatchObject({ isVisible: true, isFocused: false, isMinimized: true });
  const before = state();
  window?.become('blur', {});
  expect(state()).toBe(before);
  window?.become('restore', { minimized: false });
  window?.become('hide', { visible: false });
  expect(state()[1]).toMatchObject({ isVisible: false, isFocused: false, isMinimized: false });
  window?.become('closed', {});
  expect(Object.keys(state())).toEqual(['2']);
});
