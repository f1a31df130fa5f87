import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { updateOf } from '#tests/builders/updateOf.ts';
import { sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/sessionMiddleware.ts';
import { throughJson } from '#tests/builders/runWithRestarts.ts';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { mainReducers } from './mainStore.ts';

const reducer = combineReducers(mainReducers);

/** A moment of main: the time of its clock, and the state of its store. */
interface Moment {
  readonly now: number;
  readonly state: ReturnType<typeof reducer>;
}

/** Starts main's slices and queue on a clock of their own. */
function startMain(start?: Moment) {
  const { clock, stall } = stallingClock(start?.now);
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(sessionMiddleware(clock)),
    enhancers: (defaults) => defaults({ autoBatch: false }),
    ...(start && { preloadedState: start.state }),
  });
  return { clock, stall, store };
}

test('main continues from any state: releases an update whose tick is past at once, and the next one at the next tick', () => {
  const before = startMain();
  before.store.dispatch(sessionLaunched({ launchedAt: before.clock.now() }));
  for (const name of ['a', 'b', 'c'])
    before.store.dispatch(updateReceived({ update: updateOf({ name }), at: 0, bytes: 1 }));
  const { stall, store } = startMain({ now: 1350, state: throughJson(before.store.getState()) });
  const seen = [0, 49, 1, 100].map((ms) => {
    stall(ms);
    return store.getState().conversation.person;
  });
  expect(seen).toEqual(['a', 'a', 'b', 'c']);
  expect(store.getState().queue).toMatchObject({ length: 0, lastTick: 1500 });
});
