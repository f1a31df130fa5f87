import { expect, it } from 'vitest';
import { type KeyPress, printedCharacter, textBoxCommand } from './keys.ts';
import { nextItem } from '../base/nextItem.ts';
import { ariaShortcut, formatShortcut, systemOf } from '../base/system.ts';
import { viewerCommand } from '../viewer/viewerCommand.ts';

type Modifiers = Partial<Omit<KeyPress, 'key' | 'getModifierState'>> & { readonly altGraph?: boolean };

/** The shortest text that can be sent as a file. */
const LONG = 'x'.repeat(250);

const press = (key: string, { altGraph = false, ...modifiers }: Modifiers = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...modifiers,
  getModifierState: () => altGraph,
});

it.each<[string, Modifiers, boolean, string | null]>([
  ...['a', 'ж', '👋'].map((key) => [key, {}, false, key] as [string, Modifiers, boolean, string]),
  ...['Tab', ' ', '\u00A0', 'Dead', '', '\u200B', 'ab'].map(
    (key) => [key, {}, false, null] as [string, Modifiers, boolean, null],
  ),
  ['c', { ctrlKey: true }, false, null],
  ['c', { metaKey: true }, false, null],
  ['c', { altKey: true }, false, null],
  // AltGraph is Control and Alt on Windows.
  ['€', { ctrlKey: true, altKey: true, altGraph: true }, false, '€'],
  ['ß', { altKey: true }, true, 'ß'],
  ['ß', { altKey: true, metaKey: true }, true, null],
  ['ß', { altKey: true, ctrlKey: true }, true, null],
  ['k', { isComposing: true }, false, null],
])(
  'returns the character that the key %j with %j (on a Mac: %j) prints: %j',
  (...[key, modifiers, isMac, printed]) => {
    expect(printedCharacter(press(key, modifiers), isMac)).toBe(printed);
  },
);

it.each<[string, Modifiers, string, string | null]>([
  ['Enter', {}, 'hi', 'send'],
  ['Enter', {}, '', 'nothing'],
  ['Enter', { shiftKey: true }, 'hi', null],
  ['Enter', { ctrlKey: true }, 'hi', 'nothing'],
  ['Enter', { metaKey: true }, 'hi', 'nothing'],
  ['Enter', {}, LONG, 'send'],
  ['Enter', { altKey: true }, LONG, 'sendAsFile'],
  ['Enter', { altKey: true }, '👋'.repeat(125), 'sendAsFile'],
  ['Enter', { altKey: true }, LONG.slice(1), 'nothing'],
  ['Enter', { altKey: true, ctrlKey: true }, LONG, 'nothing'],
  ['Enter', { altKey: true, shiftKey: true }, LONG, null],
  ['Enter', { altKey: true, isComposing: true }, LONG, null],
  ['ArrowUp', {}, '', 'older'],
  ['ArrowDown', {}, 'hi', 'newer'],
  ['ArrowUp', { shiftKey: true }, '', null],
  ['ArrowUp', { altKey: true }, '', null],
  ['ArrowUp', { isComposing: true }, '', null],
  ['Escape', {}, 'hi', 'close'],
  ['Backspace', {}, 'a', 'close'],
  ['Backspace', {}, '👨‍👩‍👧‍👦', 'close'],
  ['Backspace', {}, 'e\u0301', 'close'],
  ['Backspace', {}, '', null],
  ['Backspace', {}, 'ab', null],
  ...['Enter', 'Escape', 'Backspace'].map(
    (key) => [key, { isComposing: true }, 'a', null] as [string, Modifiers, string, null],
  ),
])(
  'contract §3 text box: finds the command of %s with %j in the text %j: %j',
  (...[key, modifiers, text, command]) => {
    expect(textBoxCommand(press(key, modifiers), text)).toBe(command);
  },
);

const LABELS = ['Save', 'Settings', 'About'];

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['s', 0, 1],
  ['S', 1, 0],
  ['a', 2, 2],
  ['x', 0, null],
  ['Enter', 0, null],
])('returns the target of %s at entry %i: %j', (key, at, expected) => {
  expect(nextItem(key, at, LABELS)).toBe(expected);
});

it.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0', 'mac', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/146.0 Parley/0.2.0 Electron/45.4.1', 'windows', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'linux', false],
])('finds the system of %s', (userAgent, os, isElectron) => {
  expect(systemOf(userAgent)).toEqual({ os, isElectron });
});

const SHORTCUTS = [
  { keys: 'Ctrl+Shift+R', onMac: '⇧⌘R', aria: 'Control+Shift+R', ariaOnMac: 'Meta+Shift+R' },
  { keys: 'Alt+Enter', onMac: '⌥Enter', aria: 'Alt+Enter', ariaOnMac: 'Alt+Enter' },
  { keys: 'Ctrl++', onMac: '⌘+', aria: 'Control+Plus', ariaOnMac: 'Meta+Plus' },
];

it.each(SHORTCUTS)(
  'writes $keys as $onMac on macOS, and names its keys to screen readers',
  ({ keys, onMac, aria, ariaOnMac }) => {
    expect(formatShortcut(keys, false)).toBe(keys);
    expect(formatShortcut(keys, true)).toBe(onMac);
    expect(ariaShortcut(keys, false)).toBe(aria);
    expect(ariaShortcut(keys, true)).toBe(ariaOnMac);
  },
);

const pressed = (key: string, modifiers: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
});

it.each([
  ['+', 'zoomIn', 'zoomIn'],
  ['=', 'zoomIn', 'zoomIn'],
  ['-', 'zoomOut', 'zoomOut'],
  ['0', 'fit', 'fit'],
  ['PageUp', 'previous', 'previous'],
  ['PageDown', 'next', 'next'],
  ['ArrowLeft', 'previous', 'panLeft'],
  ['ArrowRight', 'next', 'panRight'],
  ['ArrowUp', null, 'panUp'],
  ['ArrowDown', null, 'panDown'],
  ['Escape', null, null],
  ['a', null, null],
])('maps %s to %s in an image that fits, and to %s in a larger one', (key, fitting, larger) => {
  expect(viewerCommand(pressed(key), false)).toBe(fitting);
  expect(viewerCommand(pressed(key), true)).toBe(larger);
});

it.each(['ctrlKey', 'altKey'])('leaves a key with %s to the browser', (modifier) => {
  expect(viewerCommand(pressed('0', { [modifier]: true }), true)).toBeNull();
});
