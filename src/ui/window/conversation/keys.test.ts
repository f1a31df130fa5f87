import { describe, expect, it } from 'vitest';
import { type KeyPress, printedCharacter, textBoxCommand } from './keys.ts';

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
  it.each(['a', 'Z', '7', '!', 'é', 'ж', '語', '👋', 'ñ'])('returns the character %s', (key) => {
    expect(printedCharacter(press(key), false)).toBe(key);
  });

  it.each([
    'Tab',
    'CapsLock',
    'Shift',
    'Control',
    'Alt',
    'AltGraph',
    'Meta',
    ' ',
    '\u00A0',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Enter',
    'Backspace',
    'Delete',
    'Escape',
    'F1',
    'F12',
    'PageUp',
    'PageDown',
    'Home',
    'End',
    'Insert',
    'Dead',
    'Process',
    'Unidentified',
    'ContextMenu',
    'MediaPlayPause',
    '',
    '\u200B',
    'ab',
  ])('returns null for %j, which prints nothing', (key) => {
    expect(printedCharacter(press(key), false)).toBeNull();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { ctrlKey: true, shiftKey: true }])(
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
    { altKey: true, metaKey: true },
    { altKey: true, shiftKey: true },
    { altKey: true, isComposing: true },
    { ctrlKey: true },
    { shiftKey: true },
    {},
  ])('does not send a long text as a file on Enter with %j', (modifiers) => {
    expect(textBoxCommand(press('Enter', modifiers), 'x'.repeat(250))).not.toBe('sendAsFile');
  });

  it('recalls texts on the arrow keys without a modifier', () => {
    expect(textBoxCommand(press('ArrowUp'), '')).toBe('older');
    expect(textBoxCommand(press('ArrowDown'), 'hi')).toBe('newer');
    for (const modifier of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'] as const) {
      expect(textBoxCommand(press('ArrowUp', { [modifier]: true }), '')).toBeNull();
      expect(textBoxCommand(press('ArrowDown', { [modifier]: true }), '')).toBeNull();
    }
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
