import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import type { WindowOptions } from './openWindow.ts';

/** A window of Electron: `close` destroys it, unless a listener prevents that. */
class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = [];
  static getAllWindows = () => FakeWindow.all;
  webContents = Object.assign(new EventEmitter(), { send() {} });
  isHidden = false;
  isInTaskbar = false;

  constructor() {
    super();
    FakeWindow.all.push(this);
  }

  async loadURL() {}

  hide() {
    this.isHidden = true;
  }

  show() {
    this.isHidden = false;
  }

  minimize() {
    this.isInTaskbar = true;
  }

  restore() {
    this.isInTaskbar = false;
  }

  focus() {}
  isVisible = () => !this.isHidden;
  isMinimized = () => this.isInTaskbar;
  isDestroyed = () => !FakeWindow.all.includes(this);

  close() {
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) FakeWindow.all = FakeWindow.all.filter((one) => one !== this);
  }
}

vi.mock('electron', () => ({
  BrowserWindow: FakeWindow,
  nativeImage: { createFromDataURL: () => ({}) },
  protocol: {},
}));

beforeEach(() => {
  FakeWindow.all = [];
});

/** Opens windows; returns a function that lists those that are left, and whether each one is hidden. */
async function open(count: number, hidesOnClose = true, hasTray = true) {
  const { openWindow, showWindow } = await import('./openWindow.ts');
  const options: WindowOptions = {
    onOpened: () => {},
    onLoaded: () => {},
    hidesOnClose: () => hidesOnClose,
    hasTray: async () => hasTray,
    title: () => 'Parley',
    theme: () => 'system' as const,
    takeSlot: () => ({ bounds: undefined, persist: () => {} }),
  };
  for (let opened = 0; opened < count; opened++) openWindow(options);
  return {
    windows: [...FakeWindow.all],
    left: () => FakeWindow.all.map(({ isHidden }) => isHidden),
    show: () => showWindow(options),
  };
}

test('destroys a closed window while there are others, and only hides the last one', async () => {
  const { windows, left } = await open(3);
  windows[1]?.close();
  expect(left()).toEqual([false, false]);
  windows[0]?.close();
  expect(left()).toEqual([false]);
  windows[2]?.close();
  await vi.waitFor(() => expect(left()).toEqual([true]), POLLING);
});

test('minimizes the last window on a desktop without a tray, and restores it', async () => {
  const { windows, left, show } = await open(1, true, false);
  windows[0]?.close();
  await vi.waitFor(() => expect(windows[0]?.isInTaskbar).toBe(true), POLLING);
  expect(left()).toEqual([false]);
  show();
  expect([windows[0]?.isInTaskbar, left()]).toEqual([false, [false]]);
});

test('destroys the last window too when the program quits', async () => {
  const { windows, left } = await open(1, false);
  windows[0]?.close();
  expect(left()).toEqual([]);
});

test('shows the hidden window again, and opens no other one', async () => {
  const { windows, left, show } = await open(1);
  windows[0]?.close();
  await vi.waitFor(() => expect(left()).toEqual([true]), POLLING);
  show();
  expect(left()).toEqual([false]);
});
