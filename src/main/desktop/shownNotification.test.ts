import { expect, test } from 'vitest';
import { shownNotification } from './shownNotification.ts';

test('leaves a short notification unchanged', () => {
  expect(shownNotification({ title: 'Ada', body: 'hello' })).toEqual({ title: 'Ada', body: 'hello' });
});

test('clips a notification of many megabytes, and splits no character', () => {
  const body = `${'a'.repeat(499)}👋${'b'.repeat(60_000_000)}`;
  expect(shownNotification({ title: 'c'.repeat(501), body })).toEqual({
    title: `${'c'.repeat(500)}…`,
    body: `${'a'.repeat(499)}…`,
  });
});
