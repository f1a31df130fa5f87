import { describe, expect, it } from 'vitest';
import { type KeyPress, printedCharacter, textBoxCommand } from './keys.ts';
import { nextItem } from '../base/nextItem.ts';
import { ariaShortcut, formatShortcut, systemOf } from '../base/system.ts';
import { viewerCommand } from '../viewer/viewerCommand.ts';

type Modifiers = Partial<Omit<KeyPress, 'key' | 'getModifierState'>> & { readonly altGraph?: boolean };

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

describe('printedCharacter', () => {
  it.each(['a', 'ж', '👋'])('returns the character %s', (key) => {
    expect(printedCharacter(press(key), false)).toBe(key);
  });

  it.each(['Tab', ' ', '\u00A0', 'Dead', '', '\u200B', 'ab'])(
    'returns null for %j, which prints nothing',
    (key) => {
      expect(printedCharacter(press(key), false)).toBeNull();
    },
  );

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])(
    'returns null for a shortcut with %j',
    (modifiers) => {
      expect(printedCharacter(press('c', modifiers), false)).toBeNull();
    },
  );

  it('returns the character with AltGraph, which is Control and Alt on Windows', () => {
    expect(printedCharacter(press('€', { ctrlKey: true, altKey: true, altGraph: true }), false)).toBe('€');
  });

  it('returns the character with Option on a Mac, and null with Command or Control', () => {
    expect(printedCharacter(press('ß', { altKey: true }), true)).toBe('ß');
    expect(printedCharacter(press('ß', { altKey: true, metaKey: true }), true)).toBeNull();
    expect(printedCharacter(press('ß', { altKey: true, ctrlKey: true }), true)).toBeNull();
  });

  it('returns null while an input method is composing', () => {
    expect(printedCharacter(press('k', { isComposing: true }), false)).toBeNull();
  });
});

describe('textBoxCommand', () => {
  it('sends on Enter with text, and does nothing without text', () => {
    expect(textBoxCommand(press('Enter'), 'hi')).toBe('send');
    expect(textBoxCommand(press('Enter'), '')).toBe('nothing');
  });

  it('lets Shift+Enter insert a new line', () => {
    expect(textBoxCommand(press('Enter', { shiftKey: true }), 'hi')).toBeNull();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }])('does nothing on Enter with %j', (modifiers) => {
    expect(textBoxCommand(press('Enter', modifiers), 'hi')).toBe('nothing');
  });

  it('sends a text of 250 characters as a file on Alt+Enter, and a shorter one not', () => {
    const alt = press('Enter', { altKey: true });
    expect(textBoxCommand(alt, 'x'.repeat(250))).toBe('sendAsFile');
    expect(textBoxCommand(alt, '👋'.repeat(125))).toBe('sendAsFile');
    expect(textBoxCommand(alt, 'x'.repeat(249))).toBe('nothing');
    expect(textBoxCommand(press('Enter'), 'x'.repeat(250))).toBe('send');
  });

  it.each([
    { altKey: true, ctrlKey: true },
    { altKey: true, shiftKey: true },
    { altKey: true, isComposing: true },
  ])('does not send a long text as a file on Enter with %j', (modifiers) => {
    expect(textBoxCommand(press('Enter', modifiers), 'x'.repeat(250))).not.toBe('sendAsFile');
  });

  it('recalls texts on the arrow keys without a modifier', () => {
    expect(textBoxCommand(press('ArrowUp'), '')).toBe('older');
    expect(textBoxCommand(press('ArrowDown'), 'hi')).toBe('newer');
    for (const modifier of ['shiftKey', 'altKey'] as const)
      expect(textBoxCommand(press('ArrowUp', { [modifier]: true }), '')).toBeNull();
    expect(textBoxCommand(press('ArrowUp', { isComposing: true }), '')).toBeNull();
  });

  it('closes on Escape', () => {
    expect(textBoxCommand(press('Escape'), 'hi')).toBe('close');
  });

  it.each(['a', '👋', '👨‍👩‍👧‍👦', 'e\u0301'])('closes on Backspace when only %s remains', (text) => {
    expect(textBoxCommand(press('Backspace'), text)).toBe('close');
  });

  it.each(['', 'ab', 'a '.repeat(300)])('lets Backspace delete in any other text', (text) => {
    expect(textBoxCommand(press('Backspace'), text)).toBeNull();
  });

  it.each(['Enter', 'Escape', 'Backspace'])(
    'contract §3 text box: leaves %s to an input method that is composing',
    (key) => {
      expect(textBoxCommand(press(key, { isComposing: true }), 'a')).toBeNull();
    },
  );
});

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
