import { type Action, combineReducers, configureStore } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUpdate } from '#shared/protocol/update.ts';
import * as mainActions from '#shared/actions/mainActions.ts';
import {
  backlogReported,
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  frameRejected,
  sessionEnded,
  sessionLaunched,
  updateReceived,
} from '#shared/actions/sessionActions.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/sessionMiddleware.ts';
import { alertShown, textBoxEdited, textBoxOpened, viewChanged } from '#shared/actions/windowActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { anyFrame } from '#tests/builders/updateKinds.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { type Resumable, runWithRestarts, throughJson } from '#tests/builders/runWithRestarts.ts';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { mainReducers } from './mainStore.ts';

const reducer = combineReducers(mainReducers);

/** A moment of main: the time of its clock, and the state of its store. */
interface Moment {
  readonly now: number;
  readonly state: ReturnType<typeof reducer>;
}

/** What happens in main: an action, a launch, a frame, or the time that passes until the next timers run. */
type Entry =
  | { readonly action: Action }
  | { readonly launch: true }
  | { readonly frame: string | null }
  | { readonly ms: number };

/** Starts main's slices and queue on a clock of their own. */
function startMain(start?: Moment): Resumable<Moment, Entry> {
  const { clock, stall } = stallingClock(start?.now);
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(sessionMiddleware(clock)),
    enhancers: (defaults) => defaults({ autoBatch: false }),
    ...(start && { preloadedState: start.state }),
  });
  const receive = (frame: string | null) => {
    const bytes = frame?.length ?? 0;
    const decoded = decodeUpdate(frame);
    const at = clock.now() - (store.getState().queue.launchedAt ?? 0);
    if (decoded.kind === 'rejected') store.dispatch(frameRejected({ reason: decoded.reason, bytes }));
    else store.dispatch(updateReceived({ update: decoded, at, bytes }));
  };
  return {
    state: () => ({ now: clock.now(), state: store.getState() }),
    take(entry) {
      if ('frame' in entry) receive(entry.frame);
      else if ('ms' in entry) stall(entry.ms);
      else store.dispatch('action' in entry ? entry.action : sessionLaunched({ launchedAt: clock.now() }));
    },
  };
}

const anyAction = fc.constantFrom<Action[]>(
  connectionOpened(),
  connectionConfirmed(),
  connectionClosed({ code: 1000, reason: 'maintenance' }),
  mainActions.messageSent({ category: 'text' }),
  mainActions.messageDropped({ category: 'text' }),
  mainActions.audioStarted(),
  mainActions.audioStopped(),
  mainActions.recordingStarted(),
  mainActions.playbackStarted({ message: 0, item: 0, id: 'a' }),
  backlogReported({ updates: 20 }),
  preferencesChanged({ theme: 'dark' }),
  mainActions.attentionGained(),
  mainActions.attentionLost(),
  mainActions.windowOpened(1),
  mainActions.windowOpened(2),
  mainActions.windowFocused(2),
  mainActions.windowClosed(1),
  ofWindow(viewChanged({ view: 'conversation' }), 1),
  ofWindow(alertShown({ text: 'not sent' }), 1),
  ofWindow(textBoxOpened({ text: '' }), 2),
  ofWindow(textBoxEdited({ text: 'a draft' }), 2),
);

const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 20, arbitrary: anyFrame().map((frame) => ({ frame })) },
  { weight: 10, arbitrary: fc.oneof(fc.nat(400), fc.constantFrom(0, 50, 100, 1000)).map((ms) => ({ ms })) },
  { weight: 8, arbitrary: anyAction.map((action) => ({ action })) },
  { weight: 1, arbitrary: fc.constantFrom<Entry[]>({ launch: true }, { action: sessionEnded() }) },
);

test('main reaches the same end from any state of a session, with the rest of the log', () => {
  let restartsWithWaiting = 0;
  const start = (moment?: Moment) => {
    if (moment !== undefined && moment.state.queue.length > 0) restartsWithWaiting++;
    return startMain(moment);
  };
  const log = fc.array(anyEntry, { maxLength: 80, size: 'max' });
  checkProperty(
    fc.property(log, fc.array(fc.nat(), { maxLength: 6 }), (list, cuts) => {
      const entries: Entry[] = [{ launch: true }, ...list, { ms: 500 }];
      const indexes = new Set(cuts.map((cut) => cut % entries.length));
      const last = runWithRestarts(start, entries, indexes);
      expect(throughJson(last)).toEqual(throughJson(runWithRestarts(startMain, entries)));
    }),
    80,
  );
  expect(restartsWithWaiting).toBeGreaterThan(80);
});

test('main releases an update whose tick is past when it starts, and the next one at the next tick', () => {
  const before = startMain();
  before.take({ launch: true });
  for (const name of ['a', 'b', 'c']) before.take({ frame: JSON.stringify({ name }) });
  const main = startMain({ now: 1350, state: throughJson(before.state().state) });
  const person = () => main.state().state.conversation.person;
  const seen = [0, 49, 1, 100].map((ms) => {
    main.take({ ms });
    return person();
  });
  expect(seen).toEqual(['a', 'a', 'b', 'c']);
  expect(main.state().state.queue).toMatchObject({ length: 0, lastTick: 1500 });
});
