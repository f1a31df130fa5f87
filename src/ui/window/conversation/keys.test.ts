import { expect, it } from 'vitest';
import { type KeyPress, printedCharacter, textBoxCommand } from './keys.ts';
import { followMenuKeys, nextItem } from '../base/nextItem.ts';
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
])('finds what the key %j with %j (on a Mac: %j) prints: %j', (...[key, modifiers, isMac, printed]) => {
  expect(printedCharacter(press(key, modifiers), isMac)).toBe(printed);
});

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
  ['Enter', { isComposing: true }, 'a', null],
  ['Escape', { isComposing: true }, 'a', null],
  ['Backspace', { isComposing: true }, 'a', null],
])('contract §3 text box: %s with %j in the text %j is the command %j', (...[key, held, text, command]) => {
  expect(textBoxCommand(press(key, held), text)).toBe(command);
});

const LABELS = ['Save', 'Settings', 'About'];

it.each(
  'ArrowDown 0 1, ArrowDown 2 0, ArrowUp 0 2, Home 2 0, End 0 2, s 0 1, S 1 0, a 2 2, x 0 null, Enter 0 null'
    .split(', ')
    .map((row) => row.split(' ')),
)('returns the target of %s at entry %s: %s', (key = '', at = '', expected = '') => {
  expect(String(nextItem(key, Number(at), LABELS))).toBe(expected);
});

it('moves the focus in a menu and keeps the key from the browser, except a key that moves nothing or a shortcut', () => {
  const entries = LABELS.map((textContent) => ({ textContent }));
  const follow = (...[key, held]: Parameters<typeof press>) => {
    const done: unknown[] = [];
    const menu = { target: entries[0], currentTarget: { querySelectorAll: () => entries } };
    const event = { ...press(key, held), ...menu, preventDefault: () => done.push('prevented') };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of an event that are used
    followMenuKeys(event as never, (entry) => void done.push(entry?.textContent));
    return done;
  };
  expect(follow('End')).toEqual(['prevented', 'About']);
  expect(follow('s', { shiftKey: true })).toEqual(['prevented', 'Settings']);
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(follow('End', held)).toEqual([]);
  expect(follow('Tab')).toEqual([]);
});

it.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0', 'mac', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/146.0 Parley/0.2.0 Electron/45.4.1', 'windows', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'linux', false],
])('finds the system of %s', (agent, os, isElectron) => expect(systemOf(agent)).toEqual({ os, isElectron }));

it.each([
  ['Ctrl+Shift+R', '⇧⌘R', 'Control+Shift+R', 'Meta+Shift+R'],
  ['Alt+Enter', '⌥Enter', 'Alt+Enter', 'Alt+Enter'],
  ['Ctrl++', '⌘+', 'Control+Plus', 'Meta+Plus'],
])('writes %s as %s on macOS, and names the keys %s and there %s', (keys, onMac, ...names) => {
  expect([false, true].map((isMac) => formatShortcut(keys, isMac))).toEqual([keys, onMac]);
  expect([false, true].map((isMac) => ariaShortcut(keys, isMac))).toEqual(names);
});

const SAME = '+ zoomIn, = zoomIn, - zoomOut, 0 fit, PageUp previous, PageDown next, Escape null, a null';
const ARROWS = 'Left previous panLeft, Right next panRight, Up null panUp, Down null panDown';

it.each([
  ...SAME.split(', ').map((row) => row.split(' ').concat(row.split(' ').slice(1))),
  ...ARROWS.split(', ').map((row) => `Arrow${row}`.split(' ')),
])(
  'maps %s to %s in an image that fits, to %s in a larger one, and to null with Ctrl',
  (key = '', ...commands) => {
    expect([false, true].map((isLarger) => String(viewerCommand(press(key), isLarger)))).toEqual(commands);
    for (const held of [{ ctrlKey: true }, { altKey: true }])
      expect(viewerCommand(press(key, held), true)).toBeNull();
  },
);
