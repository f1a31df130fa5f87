import { expect, it, vi } from 'vitest';
import { createGlobalShortcut } from './globalShortcut.ts';

it('sends registered shortcuts to the pages and presses to main until they are unregistered', () => {
  const shown: (readonly string[])[] = [];
  const press = vi.fn<() => void>();
  const { globalShortcut, pressed } = createGlobalShortcut((accelerators) => shown.push(accelerators));
  expect(globalShortcut.register('CommandOrControl+Return', press)).toBe(true);
  expect(globalShortcut.isRegistered('CommandOrControl+Return')).toBe(true);
  pressed('CommandOrControl+Return');
  pressed('Control+A');
  expect(press).toHaveBeenCalledTimes(1);
  globalShortcut.unregister('CommandOrControl+Return');
  pressed('CommandOrControl+Return');
  expect(press).toHaveBeenCalledTimes(1);
  expect(shown).toEqual([['CommandOrControl+Return'], []]);
});

it('refuses a second registration and keeps the first', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { globalShortcut, pressed } = createGlobalShortcut(() => undefined);
  globalShortcut.register('Control+A', first);
  expect(globalShortcut.register('Control+A', second)).toBe(false);
  pressed('Control+A');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
  globalShortcut.unregisterAll();
  expect(globalShortcut.isRegistered('Control+A')).toBe(false);
});

it('throws an error with the name of what the web host does not have', () => {
  const { globalShortcut } = createGlobalShortcut(() => undefined);
  expect(() => globalShortcut.register('Control+F13', () => undefined)).toThrow('Control+F13');
  expect(() => Reflect.get(globalShortcut, 'registerAll')).toThrow('electron.globalShortcut.registerAll');
});
