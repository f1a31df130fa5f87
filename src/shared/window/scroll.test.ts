import { expect, test } from 'vitest';
import { NO_ACTION } from '../isOfType.ts';
import { placeReducer } from './slices.ts';
import { placeLeft, placeReturned, startFailureChanged } from '../actions/windowActions.ts';

const fold = (...actions: Parameters<typeof placeReducer>[1][]) =>
  actions.reduce(placeReducer, placeReducer(undefined, NO_ACTION));
const away = (messages: number) => placeLeft({ messages, isAway: true });
const scrolledUp = (messages: number) => placeLeft({ messages, isAway: false });
const returned = (messages: number) => placeReturned({ messages });

test.each<[string, Parameters<typeof placeReducer>[1][], object]>([
  ['keeps the first of two places that were left', [scrolledUp(3), away(5)], { leftAt: 3, divider: null }],
  ['has a divider after a return to new messages', [away(3), returned(5)], { leftAt: null, divider: 3 }],
  ['has none after a return without new messages', [away(3), returned(3)], { leftAt: null, divider: null }],
  [
    'keeps the divider while the person scrolls',
    [away(3), returned(5), scrolledUp(5), returned(5)],
    { leftAt: null, divider: 3 },
  ],
  [
    'moves it to what arrived while the person had scrolled up',
    [away(3), returned(5), scrolledUp(5), returned(7)],
    { leftAt: null, divider: 5 },
  ],
  ['drops it when the window loses the focus', [away(3), returned(5), away(6)], { leftAt: 6, divider: null }],
  ['stays the same after a second return', [away(3), returned(5), returned(9)], { leftAt: null, divider: 3 }],
  [
    'begins again when the conversation is not opened',
    [away(3), startFailureChanged({ failure: null })],
    { leftAt: null, divider: null },
  ],
])('%s', (_, actions, place) => {
  expect(fold(...actions)).toEqual(place);
});
