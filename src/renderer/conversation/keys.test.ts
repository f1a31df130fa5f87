import { describe, expect, it } from 'vitest';
import { type KeyPress, printedCharacter, textBoxAct } from './keys.ts';

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
  it.each(['a', 'Z', '7', '!', 'é', 'ж', '語', '👋', 'ñ'])('%s, itself', (key) => {
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
  ])('%j prints nothing, null', (key) => {
    expect(printedCharacter(press(key), false)).toBeNull();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { ctrlKey: true, shiftKey: true }])(
    'a shortcut with %j, null',
    (modifiers) => {
      expect(printedCharacter(press('c', modifiers), false)).toBeNull();
    },
  );

  it('AltGraph, which is Control and Alt on Windows, the character', () => {
    expect(printedCharacter(press('€', { ctrlKey: true, altKey: true, altGraph: true }), false)).toBe('€');
  });

  it('Option on a Mac, the character; with Command or Control, null', () => {
    expect(printedCharacter(press('ß', { altKey: true }), true)).toBe('ß');
    expect(printedCharacter(press('ß', { altKey: true, metaKey: true }), true)).toBeNull();
    expect(printedCharacter(press('ß', { altKey: true, ctrlKey: true }), true)).toBeNull();
  });

  it('an input method is composing, null', () => {
    expect(printedCharacter(press('k', { isComposing: true }), false)).toBeNull();
  });
});

describe('textBoxAct', () => {
  it('Enter with text sends; without text, nothing', () => {
    expect(textBoxAct(press('Enter'), 'hi')).toBe('send');
    expect(textBoxAct(press('Enter'), '')).toBe('nothing');
  });

  it('Shift and Enter, a new line', () => {
    expect(textBoxAct(press('Enter', { shiftKey: true }), 'hi')).toBeNull();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }])(
    'Enter with %j is another shortcut, nothing',
    (modifiers) => {
      expect(textBoxAct(press('Enter', modifiers), 'hi')).toBe('nothing');
    },
  );

  it('Escape, closes', () => {
    expect(textBoxAct(press('Escape'), 'hi')).toBe('close');
  });

  it.each(['a', '👋', '👨‍👩‍👧‍👦', 'e\u0301'])('Backspace when %s remains, closes', (text) => {
    expect(textBoxAct(press('Backspace'), text)).toBe('close');
  });

  it.each(['', 'ab', 'a '.repeat(300)])('Backspace with any other text, deletes', (text) => {
    expect(textBoxAct(press('Backspace'), text)).toBeNull();
  });

  it.each(['Enter', 'Escape', 'Backspace'])(
    'contract §3 text box: %s while an input method is composing, its own',
    (key) => {
      expect(textBoxAct(press(key, { isComposing: true }), 'a')).toBeNull();
    },
  );
});
