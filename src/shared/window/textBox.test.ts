import { expect, test } from 'vitest';
import { STATE_TEXT_LENGTH } from '../limits.ts';
import {
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxRefused,
  textBoxSent,
} from '../actions/windowActions.ts';
import { textBoxReducer } from './slices.ts';

test.each([
  [null, textBoxOpened({ text: 'h' }), 'h'],
  [null, textBoxOpened({ text: '' }), ''],
  ['h', textBoxEdited({ text: 'hi' }), 'hi'],
  ['hi', textBoxRefused({ length: 250 }), 'hi'],
  ['hi', textBoxSent(), null],
  ['hi', textBoxClosed(), null],
  ['hi', startFailureChanged({ failure: { canSave: false } }), null],
  ['hi', startFailureChanged({ failure: null }), 'hi'],
])('spec §4.4 item 1: turns %j with the action %j into %j', (before, action, after) => {
  expect(textBoxReducer(before, action)).toBe(after);
});

test('cuts a text that is too long, but never within a character', () => {
  const text = `${'x'.repeat(STATE_TEXT_LENGTH - 1)}😀`;
  expect(textBoxReducer(null, textBoxEdited({ text }))).toBe('x'.repeat(STATE_TEXT_LENGTH - 1));
});
