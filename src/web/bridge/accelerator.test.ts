import { expect, it } from 'vitest';
import { type Press, isPressed, parseAccelerator } from './accelerator.ts';

const press = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]): Press => ({
  key,
  ctrlKey: held.includes('ctrlKey'),
  metaKey: held.includes('metaKey'),
  altKey: held.includes('altKey'),
  shiftKey: held.includes('shiftKey'),
});

it.each([
  ['CommandOrControl+Return', false, press('Enter', 'ctrlKey')],
  ['CommandOrControl+Return', true, press('Enter', 'metaKey')],
  ['CmdOrCtrl+Shift+R', false, press('R', 'ctrlKey', 'shiftKey')],
  ['Control+Alt+7', true, press('7', 'ctrlKey', 'altKey')],
  ['Command+Option+Space', true, press(' ', 'metaKey', 'altKey')],
])('recognises %s by its keys (on a Mac: %s)', (text, isMac, keys) => {
  expect(isPressed(parseAccelerator(text, isMac), keys)).toBe(true);
});

it.each([
  press('Enter'),
  press('Enter', 'metaKey'),
  press('Enter', 'ctrlKey', 'shiftKey'),
  press('Enter', 'ctrlKey', 'altKey'),
  press('a', 'ctrlKey'),
])('does not recognise CommandOrControl+Return by %j', (keys) => {
  expect(isPressed(parseAccelerator('CommandOrControl+Return', false), keys)).toBe(false);
});

it.each(['Control+F13', 'MediaPlayPause', 'Hyper+A', 'Control+', ''])(
  'throws an error with the name of the unknown accelerator "%s"',
  (text) => {
    expect(() => parseAccelerator(text, false)).toThrow(`'${text}' is not available in the web host`);
  },
);
