import { expect, test } from 'vitest';
import { NO_ACTION } from '../isOfType.ts';
import { imageOpened, imageZoomed, startFailureChanged, viewerClosed } from '../actions/windowActions.ts';
import { FIT, viewerReducer, viewerZoomReducer } from './slices.ts';

const first = imageOpened({ message: 1, item: 0 });

test.each<[string, Parameters<typeof viewerReducer>[1][], object | null]>([
  ['is closed at first', [], null],
  [
    'shows the image that was opened last',
    [first, imageOpened({ message: 3, item: 2 })],
    { message: 3, item: 2 },
  ],
  ['shows nothing after it was closed', [first, viewerClosed()], null],
  [
    'closes when the conversation is not opened',
    [first, startFailureChanged({ failure: { canSave: true } })],
    null,
  ],
])('%s', (_, actions, place) => {
  expect(actions.reduce(viewerReducer, viewerReducer(undefined, NO_ACTION))).toEqual(place);
});

test.each([first, viewerClosed(), startFailureChanged({ failure: null })])(
  'shows another image whole, after %j',
  (action) => {
    const zoomed = viewerZoomReducer(FIT, imageZoomed({ factor: 2.0004, x: 10, y: 0 }));
    expect(zoomed).toEqual({ factor: 2, x: 10, y: 0 });
    expect(viewerZoomReducer(zoomed, action)).toBe(FIT);
  },
);
