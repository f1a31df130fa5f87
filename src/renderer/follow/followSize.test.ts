import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { REST_MS } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { pageResized } from '#shared/actions/windowActions.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { followSize } from './followSize.ts';

const FIRST = { innerWidth: 480, innerHeight: 760, devicePixelRatio: 1.100000023841858 };

/** Follows the size of a window, and returns functions that resize it and let it rest. */
function followed() {
  const events = new EventEmitter();
  const target = {
    ...FIRST,
    addEventListener: (type: string, listener: () => void) => void events.on(type, listener),
  };
  const clock = virtualClock();
  const store = createWindowStateStore();
  followSize(target, store, clock);
  const resize = (size: Partial<typeof FIRST>) => {
    Object.assign(target, size);
    events.emit('resize');
  };
  return { store, resize, rest: (ms = REST_MS) => clock.advance(ms) };
}

test('says the size of the page that has loaded', () => {
  const { store } = followed();
  expect(store.dispatched).toEqual([pageResized({ width: 480, height: 760, pixelRatio: 1.1 })]);
});

test('says a size once, when a resize or a zoom rests', () => {
  const { store, resize, rest } = followed();
  store.dispatched.length = 0;
  resize({ innerWidth: 500 });
  rest(REST_MS - 1);
  resize({ innerWidth: 600 });
  rest(REST_MS - 1);
  expect(store.dispatched).toEqual([]);
  rest();
  resize({ devicePixelRatio: 2 });
  rest();
  expect(store.dispatched).toEqual([
    pageResized({ width: 600, height: 760, pixelRatio: 1.1 }),
    pageResized({ width: 600, height: 760, pixelRatio: 2 }),
  ]);
});

test('says nothing when the size is the same again', () => {
  const { store, resize, rest } = followed();
  resize({ innerWidth: 500 });
  resize(FIRST);
  rest();
  expect(store.dispatched).toHaveLength(1);
});
