import type { Action } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import {
  connectionConfirmed,
  connectionOpened,
  frameRejected,
  heartbeat,
  sessionEnded,
  updateApplied,
  updateIgnored,
  updateReceived,
} from '../actions/sessionActions.ts';
import { LOCAL, isLocal } from '../isOfType.ts';
import { messageDropped, messageSent } from '../actions/mainActions.ts';
import { sequenceNumber } from './sequence.ts';

/** Creates an action with additional fields. */
type LooseAction = Action & Readonly<Record<string, unknown>>;

const update = updateOf({ name: 'Ada' });
const notification = updateOf({});

const FORWARDED: readonly LooseAction[] = [
  connectionOpened(),
  connectionConfirmed(),
  sessionEnded(),
  updateApplied({ update, bytes: 1, tick: 0 }),
  { type: 'x', payload: 1, meta: { mine: true }, error: false },
  { type: 'x', meta: null },
];

const NOT_FORWARDED: readonly LooseAction[] = [
  updateReceived({ update, at: 0, bytes: 1 }),
  updateIgnored({ update, bytes: 1, tick: 0 }),
  updateApplied({ update: notification, bytes: 1, tick: 0 }),
  frameRejected({ reason: 'notJson', bytes: 1 }),
  messageSent({ category: 'text' }),
  messageDropped({ category: 'text' }),
  heartbeat(7),
  { type: 'persist/REHYDRATE', key: 'account' },
];

describe('contract §4: sequence numbers', () => {
  test.each(FORWARDED)('numbers a forwarded action: $type', (action) => {
    const { store, dispatch, reduced } = sessionStore();
    dispatch(action);
    expect(store.getState().sequence).toBe(1);
    expect(sequenceNumber(reduced.at(-1))).toBe(1);
  });

  test.each(NOT_FORWARDED)('does not number an action that stays in main: $type', (action) => {
    const { store, dispatch, reduced } = sessionStore();
    dispatch(action);
    expect(store.getState().sequence).toBe(0);
    expect(reduced).toEqual([action]);
  });

  test('keeps an action’s meta beside the number', () => {
    const { dispatch, reduced } = sessionStore();
    dispatch({ type: 'x', meta: { mine: true } } as { type: string });
    expect(reduced).toEqual([{ type: 'x', meta: { mine: true, seq: 1 } }]);
  });

  test('numbers the forwarded actions of any sequence 1, 2, … without a gap', () => {
    const some = fc.array(fc.constantFrom(...FORWARDED, ...NOT_FORWARDED), { maxLength: 40 });
    checkProperty(
      fc.property(some, (actions) => {
        const { store, dispatch, reduced } = sessionStore();
        for (const action of actions) dispatch(action);
        const numbers = reduced.map(sequenceNumber).filter((number) => number !== undefined);
        expect(numbers).toEqual(numbers.map((_, i) => i + 1));
        expect(numbers.length).toBe(actions.filter((action) => !NOT_FORWARDED.includes(action)).length);
        expect(store.getState().sequence).toBe(numbers.length);
      }),
      100,
    );
  });
});

test.each([
  [undefined],
  [null],
  ['x'],
  [{ type: 'x' }],
  [{ type: 'x', meta: null }],
  [{ type: 'x', meta: {} }],
  [{ type: 'x', meta: { seq: '1' } }],
  [{ meta: { seq: 1 } }],
])('returns no number for %j', (action) => {
  expect(sequenceNumber(action)).toBeUndefined();
});

test.each([
  [{ type: 'x', payload: 1, meta: LOCAL }, true],
  [{ type: 'x' }, false],
  [{ type: 'x', meta: null }, false],
  [{ type: 'x', meta: 'local' }, false],
  [{ type: 'x', meta: { scope: 'global' } }, false],
])('returns whether %j stays in main: %s', (action, expected) => {
  expect(isLocal(action)).toBe(expected);
});
