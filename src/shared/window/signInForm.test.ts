import { expect, test } from 'vitest';
import { STATE_TEXT_LENGTH } from '../limits.ts';
import { signInFormReducer } from './slices.ts';
import {
  charactersShown,
  signInFormAnswered,
  signInFormChecked,
  signInFormCleared,
  signInFormEdited,
  signInFormSubmitted,
} from '../actions/windowActions.ts';

const fold = (...actions: Parameters<typeof signInFormReducer>[1][]) =>
  actions.reduce(signInFormReducer, signInFormReducer(undefined, { type: '' }));

const edited = signInFormEdited({ email: 'ada@example.org', name: 'Ada Lovelace' });

test('is empty at first', () => {
  expect(fold()).toMatchInlineSnapshot(`
    {
      "cleared": 0,
      "email": "",
      "error": null,
      "isBusy": false,
      "name": "",
      "showsCharacters": false,
    }
  `);
});

test('keeps the fields and its error until it is checked again', () => {
  expect(fold(edited, signInFormChecked({ error: 'Not a valid email.' }), edited)).toMatchInlineSnapshot(`
    {
      "cleared": 0,
      "email": "ada@example.org",
      "error": "Not a valid email.",
      "isBusy": false,
      "name": "Ada Lovelace",
      "showsCharacters": false,
    }
  `);
});

test('is busy without an error from the request to the answer', () => {
  const refused = fold(edited, signInFormSubmitted(), signInFormAnswered({ error: 'No.' }));
  expect(refused).toMatchObject({ isBusy: false, error: 'No.' });
  expect(signInFormReducer(refused, signInFormSubmitted())).toMatchObject({ isBusy: true, error: null });
});

test('is no longer busy when it changes before its request', () => {
  expect(fold(edited, signInFormSubmitted(), signInFormChecked({ error: null })).isBusy).toBe(false);
});

test('is another, empty form after the data was deleted', () => {
  const shown = fold(edited, charactersShown({ isShown: true }));
  expect(shown.showsCharacters).toBe(true);
  expect(signInFormReducer(shown, signInFormCleared())).toEqual({ ...fold(), cleared: 1 });
});

test('cuts fields and errors that are too long', () => {
  const long = 'x'.repeat(STATE_TEXT_LENGTH + 1);
  expect(fold(signInFormEdited({ email: long, name: long })).email).toHaveLength(STATE_TEXT_LENGTH);
  expect(fold(signInFormAnswered({ error: long })).error).toHaveLength(STATE_TEXT_LENGTH);
});
