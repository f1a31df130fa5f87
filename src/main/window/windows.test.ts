import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { WindowOptions } from './openWindow.ts';
import { FakeWindow, windowOptions } from './testing/fakeWindow.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { message, updateOf } from '#tests/builders/updateOf.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Rectangle } from 'electron';
import { join } from 'node:path';
import { virtualClock } from '#shared/clock.ts';
import { WINDOW_RATE } from '#shared/limits.ts';
import { tellStories } from '#tests/builders/tellStories.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { jsonFile } from '../base/jsonFile.ts';
import { createWindowBounds, windowBoundsSchema } from './windowBounds.ts';

async function openWindows(count: number, given: Partial<WindowOptions> = {}) {
  FakeWindow.all = [];
  vi.resetModules();
  const nativeImage = { createFromDataURL: () => ({}) };
  vi.doMock('electron', () => ({ BrowserWindow: FakeWindow, nativeImage, protocol: {} }));
  const { openWindow, showWindow } = await import('./openWindow.ts');
  const options = windowOptions({ hidesOnClose: () => true, ...given });
  for (let opened = 0; opened < count; opened++) openWindow(options);
  return {
    windows: [...FakeWindow.all],
    left: () => FakeWindow.all.map(({ isHidden }) => isHidden),
    show: () => showWindow(options),
  };
}

test('destroys a closed window while there are others, and only hides the last one, which is shown again; minimizes it on a desktop without a tray, restores it, and destroys it when the program quits', async () => {
  const { windows, left, show } = await openWindows(3);
  windows[1]?.close();
  expect(left()).toEqual([false, false]);
  windows[0]?.close();
  expect(left()).toEqual([false]);
  windows[2]?.close();
  await nextTurn();
  expect(left()).toEqual([true]);
  show();
  expect(left()).toEqual([false]);
  // A visible window comes to the front before a hidden one.
  const two = await openWindows(2);
  two.windows[0]?.hide();
  FakeWindow.note = vi.fn<(act: string) => void>();
  two.show();
  expect(FakeWindow.note).toHaveBeenLastCalledWith('focused');
  expect(two.left()).toEqual([true, false]);
  const bare = await openWindows(1, { hasTray: async () => false });
  const [window = expect.unreachable()] = bare.windows;
  const close = async () => (window.close(), await nextTurn(), [window.isInTaskbar, bare.left()]);
  expect(await close()).toEqual([true, [false]]);
  bare.show();
  expect([window.isInTaskbar, bare.left()]).toEqual([false, [false]]);
  const closing = close();
  FakeWindow.all = [];
  expect(await closing).toEqual([false, []]);
  const quitting = await openWindows(1, { hidesOnClose: () => false });
  quitting.windows[0]?.close();
  expect(quitting.left()).toEqual([]);
});

test('answers only the window that sent an action, no other one after its close, and all for an action of no window', async () => {
  const { windows } = await openWindows(3);
  const { answerAction, excludeWindow } = await import('./messengerWindows.ts');
  excludeWindow(Object(new FakeWindow()));
  const answer = (meta: object) => {
    answerAction(Object({ type: 'asked', meta }), 'voiceNote', 'a note');
    return windows.flatMap(({ sent }, at) => sent.splice(0).map(() => at + 1));
  };
  expect(answer({ window: 2 })).toEqual([2]);
  windows[1]?.close();
  expect([answer({ window: 2 }), answer({}), FakeWindow.all.at(-1)?.sent]).toEqual([[], [1, 3], []]);
});

test('a window opens hidden at its last place with the colour of the theme, is shown, maximized as it was, when its page can be painted, keeps its own title, and requests the state of each page that has loaded', async () => {
  let text = '';
  const tell = (what: string) => (_: object, number?: number) => void (text += `${what} ${number}\n`);
  const options = { onOpened: tell('opened'), onLoaded: tell('loaded'), title: () => '(2) Parley' };
  for (const theme of ['system', 'light', 'dark'] as const) {
    const last = { x: 1, y: 2, width: 700, height: 800, isMaximized: theme === 'dark' };
    const takeSlot = () => ({ bounds: theme === 'system' ? undefined : last, persist() {} });
    const [window] = (await openWindows(1, { ...options, theme: () => theme, takeSlot })).windows;
    const { webPreferences: _, ...others } = Object(window?.options);
    window?.emit('page-title-updated', { preventDefault: () => (text += 'the title stays\n') });
    for (let loads = 0; loads < 2; loads++) window?.webContents.emit('did-finish-load');
    window?.hide();
    window?.on('shown', () => (text += `shown ${window.maximized}\n`));
    window?.emit('ready-to-show');
    const { sent, isHidden, maximized } = window ?? {};
    text += `${theme} ${JSON.stringify({ ...others, sent, isHidden, maximized })}\n`;
  }
  await expect(text).toMatchFileSnapshot('testing/opened.txt');
});

test('audioWindows lists the focused window first; onGone reports once that a page is gone, and leaves no listener', async () => {
  const { windows } = await openWindows(3);
  const { audioWindow, audioWindows } = await import('./messengerWindows.ts');
  windows[1]?.become('focus', { hasFocus: true });
  expect(audioWindows().map(({ id }) => id)).toEqual([2, 1, 3]);
  for (const event of ['destroyed', 'render-process-gone']) {
    const contents = new EventEmitter();
    const gone = vi.fn<() => void>();
    const cancel = audioWindow(Object(contents)).onGone(gone);
    contents.emit(event);
    cancel();
    for (const any of ['destroyed', 'render-process-gone']) contents.emit(any);
    expect(gone).toHaveBeenCalledOnce();
  }
});

async function start(count: number) {
  const { store, listeners, clock } = await mainStore();
  const { followWindow } = await import('./openWindow.ts');
  const { showUnread } = await import('../desktop/setUpDesktop.ts');
  const app = { setBadgeCount: vi.fn<(count?: number) => boolean>() };
  const windows = Array.from({ length: count }, () => Object.assign(new FakeWindow(), { isHidden: true }));
  showUnread({ app, listeners, windows: () => windows });
  windows.forEach((window, index) => {
    followWindow({ store, clock }, window, index + 1);
    window.become('show', { isHidden: false });
  });
  return {
    app,
    clock,
    windows,
    state: () => store.getState().windows,
    attention: () => store.getState().attention,
    arrive: () => void store.dispatch(updateApplied({ update: updateOf(message('1')), bytes: 1, tick: 0 })),
  };
}

test('shows unread messages on the badge and in every title until a window gets the focus', async () => {
  const { app, windows, arrive } = await start(2);
  arrive();
  arrive();
  expect(app.setBadgeCount.mock.calls).toEqual([[1], [2]]);
  windows[1]?.become('focus', { hasFocus: true });
  expect(app.setBadgeCount.mock.lastCall).toEqual([0]);
  for (const { titles } of windows) expect(titles).toEqual(['(1) Parley', '(2) Parley', 'Parley']);
  arrive();
  expect(app.setBadgeCount).toHaveBeenCalledTimes(3);
});

test('dispatches an action for each change of a window, and none for an event without a change; is watched while a visible window has the focus', async () => {
  const { windows, state, attention } = await start(2);
  const [window] = windows;
  for (const [event, change, isVisible, isFocused, isMinimized] of [
    ['focus', { hasFocus: true }, true, true, false],
    ['minimize', { isInTaskbar: true, hasFocus: false }, true, false, true],
    ['restore', { isInTaskbar: false, hasFocus: true }, true, true, false],
    ['hide', { isHidden: true }, false, true, false],
    ['show', { isHidden: false }, true, true, false],
    ['blur', { hasFocus: false }, true, false, false],
    ['focus', { hasFocus: true }, true, true, false],
  ] as const) {
    window?.become(event, change);
    expect(state()[1]).toMatchObject({ isVisible, isFocused, isMinimized });
    expect(attention().isWatched).toBe(isVisible && isFocused);
    const before = state();
    window?.become('blur', {});
    expect(state()).toBe(before);
  }
  window?.become('closed', {});
  expect([Object.keys(state()), attention().isWatched]).toEqual([['2'], false]);
});

test('follows the last change of a window whose changes exceed the rate a second later, each time', async () => {
  const { clock, windows, state } = await start(1);
  for (const hasFocus of [true, false]) {
    for (let events = 0; events < WINDOW_RATE.burst; events++) windows[0]?.emit('focus');
    windows[0]?.become('focus', { hasFocus });
    expect(state()[1]?.isFocused).toBe(!hasFocus);
    clock.advance(1000);
    expect(state()[1]?.isFocused).toBe(hasFocus);
  }
});

const SCREEN = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
const RIGHT = { workArea: { x: 1920, y: 0, width: 1920, height: 1080 } };
const STORED = { x: 300, y: 200, width: 600, height: 800, isMaximized: false };

/** Begins a story about the places of windows: what happens are the places with which they open. */
function beginPlaces() {
  const path = join(mainFolder(), 'window.json');
  const clock = virtualClock();
  let windows: FakeWindow[] = [];
  const begin = (displays: { workArea: Rectangle }[]) => {
    windows = [];
    const file = jsonFile({ path, schema: windowBoundsSchema, log: mainLog().log });
    return createWindowBounds({ file, displays: () => displays, clock });
  };
  let places = begin([SCREEN]);
  const change = (event: string) => (argument: string) => {
    const [to = '{}', number = '1'] = argument.split(' ');
    const window = windows[Number(number) - 1];
    window?.become(event, { bounds: { ...window.bounds, ...JSON.parse(to) } });
  };
  const happened: string[] = [];
  return {
    happened,
    acts: {
      store: (place: string) => writeFileSync(path, JSON.stringify([{ ...STORED, ...JSON.parse(place) }])),
      start: (displays: string) => void (places = begin(displays === '2' ? [SCREEN, RIGHT] : [SCREEN])),
      open() {
        const { bounds, persist } = places.takeSlot();
        const window = new FakeWindow();
        windows.push(window);
        persist(window);
        happened.push(JSON.stringify(bounds ?? 'nowhere'));
      },
      move: change('move'),
      resize: change('resize'),
      maximize: () => windows[0]?.become('maximize', { maximized: true }),
      close: () => ['close', 'closed'].forEach((event) => windows[0]?.emit(event)),
      wait: (ms: string) => clock.advance(Number(ms)),
      forget: () => places.forget(),
    },
    state: () =>
      existsSync(path) ? [`window.json: ${readFileSync(path, 'utf8').replaceAll(/\s+/g, '')}`] : [],
  };
}

const PLACES = {
  'Is stored 500 ms after the last move or resize, with the normal bounds of a maximised window, and restored by the next start':
    'open; move {"x":300.4,"y":199.6}; wait 400; resize {"width":600,"height":800}; wait 499; wait 1; maximize; wait 500; start; open',
  'Keeps the fields of a newer version when the window moves':
    'store {"desk":2}; start; open; move {"x":700}; wait 500',
  'Is restored only where a person can reach it: on a display, but not more than half beyond it, or with the title bar above it':
    ['{"x":-300,"y":-20}', '{"x":-301}', '{"x":2000}', '{"y":-21}']
      .map((place) => `store ${place}; start; open; start 2; open`)
      .join('; '),
  'Is forgotten on request, also one that was not stored yet, until the window moves again':
    'store {}; start; open; move {"x":50}; forget; wait 500; open; move {"x":70}; wait 500; close; forget; open',
  'Is stored at once when the window closes before that, and not again':
    'open; move {"x":300}; wait 400; close; wait 500; start; open; close; start; open',
  'Is separate for each window, and free for the next one after a close':
    'open; open; move {"x":700} 2; wait 500; move {"x":50}; wait 500; close; open; start; open; open; open',
};

test('the place of a window is stored and restored as its stories say', async () => {
  await expect(await tellStories(PLACES, beginPlaces)).toMatchFileSnapshot('testing/places.txt');
});
