import { expect, test } from 'vitest';
import { alertsReducer } from './slices.ts';
import { MOST_ALERTS } from '../actions/windowSchemas.ts';
import { alertDismissed, alertShown } from '../actions/windowActions.ts';

const shown = (...texts: readonly string[]) =>
  texts.map((text) => alertShown({ text })).reduce(alertsReducer, alertsReducer(undefined, { type: '' }));

test('are shown one after the other, with ids of their own', () => {
  const alerts = shown('one', 'two', 'two');
  expect(alerts).toMatchInlineSnapshot(`
    {
      "nextId": 3,
      "waiting": [
        {
          "id": 0,
          "text": "one",
        },
        {
          "id": 1,
          "text": "two",
        },
        {
          "id": 2,
          "text": "two",
        },
      ],
    }
  `);
  expect(alertsReducer(alerts, alertDismissed()).waiting[0]?.text).toBe('two');
});

test('does not use an id again after a dismissal', () => {
  const alerts = alertsReducer(alertsReducer(shown('one'), alertDismissed()), alertShown({ text: 'one' }));
  expect(alerts.waiting).toEqual([{ id: 1, text: 'one' }]);
});

test('drops further alerts while very many wait', () => {
  const alerts = shown(...Array.from({ length: MOST_ALERTS }, String));
  expect(alertsReducer(alerts, alertShown({ text: 'more' }))).toBe(alerts);
});

test('ignores a dismissal while no alert is shown', () => {
  expect(alertsReducer(shown(), alertDismissed()).waiting).toEqual([]);
});
