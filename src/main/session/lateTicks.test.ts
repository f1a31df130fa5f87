import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { MainStore } from '../store/mainStore.ts';
import { createParleyEngine, stateDocument } from '#replay/parley/parley.ts';
import { captureTime, type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { recordingStarted, recordingStopped, windowOpened } from '#shared/actions/mainActions.ts';
import { sinceLaunch } from '#shared/store/queue.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { stateReported, textBoxEdited } from '#shared/actions/windowActions.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { mainRecorder, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import type { ConnectionEvents } from './platformConnection.ts';

/** The time of the launch in the capture; on the clock it has more digits. */
const LAUNCHED_AT = 1234.568;

afterEach(() => {
  vi.doUnmock('./platformConnection.ts');
});

/** Starts a program with a recorder and a virtual clock, whose sessions have the test as their socket. */
async function started() {
  const recorded = mainRecorder();
  const { recorder: capture, clock, kept } = recorded;
  const main = await mainStore({ capture, clock, kept });
  const sockets: ConnectionEvents[] = [];
  vi.doMock('./platformConnection.ts', () => ({
    connect({ events }: { readonly events: ConnectionEvents }) {
      sockets.push(events);
      return { send: () => 'sent', pause() {}, resume() {}, reconnect() {}, onResume() {}, end() {} };
    },
  }));
  const { launchSession } = await import('./launchSession.ts');
  main.store.dispatch(windowOpened(1));
  clock.advance(LAUNCHED_AT - 0.0002);
  const known = new Set<string>();
  return {
    ...main,
    recorded,
    launch() {
      // A session begins with windows as new ones.
      main.store.dispatch(ofWindow(stateReported({ state: initialWindowState }), 1));
      const session = launchSession({
        ...main,
        url: '',
        today: () => new Date(0),
        log: kept.log,
        onRecord() {},
        onUnauthorized() {},
      });
      const events = sockets.at(-1);
      if (events === undefined) throw new Error('the session has no connection');
      return {
        ...main,
        events,
        session,
        /** Ends the session; returns its records. */
        async end() {
          session.end(1000, 'logout');
          await capture.settling();
          const path = recorded.files().find((file) => !known.has(file)) ?? '';
          known.add(path);
          return readCaptureFile(path).records;
        },
      };
    },
  };
}

const launched = async () => (await started()).launch();

type Session = Awaited<ReturnType<typeof launched>>;

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const shown = (state: ReturnType<MainStore['getState']> | Parameters<typeof stateDocument>[0]) =>
  throughJson({ ...stateDocument(state), conversation: toSnapshot(state.conversation) });

function receive({ events }: Session, frame: object) {
  const text = JSON.stringify(frame);
  events.frame(text, Buffer.from(text));
}

const lateReleases = (records: readonly CaptureRecord[]) => records.filter(({ type }) => type === 'release');

test('contract §6 release: records an update that a busy program releases at a later tick, and only this one', async () => {
  const program = await launched();
  const { clock } = program;
  receive(program, message('1'));
  clock.advance(100);
  receive(program, message('2'));
  receive(program, message('3'));
  clock.stall(350);
  clock.advance(200);
  expect(lateReleases(await program.end())).toEqual([
    { t: LAUNCHED_AT + 450, type: 'release', update: 2, due: 200, tick: 400 },
  ]);
});

test('contract §6 release: a tick comes before what arrives at or after it, also when its timer fires later', async () => {
  const program = await launched();
  const { clock, store } = program;
  const applied = () => store.getState().counts.applied;
  receive(program, message('1'));
  clock.stall(100);
  store.dispatch(recordingStarted());
  expect(applied()).toBe(1);
  receive(program, message('2'));
  receive(program, message('3'));
  clock.stall(140);
  receive(program, message('4'));
  expect([applied(), store.getState().queue.lastTick]).toEqual([2, 200]);
  // One tick releases one update, however many ticks were missed.
  clock.stall(500);
  store.dispatch(recordingStopped());
  store.dispatch(recordingStarted());
  expect([applied(), store.getState().queue.lastTick]).toEqual([3, 700]);
  expect(lateReleases(await program.end())).toMatchObject([{ update: 3, due: 300, tick: 700 }]);
});

test('contract §6 release: a long listener of a release does not release the next update; its actions are recorded before it', async () => {
  const program = await launched();
  const { clock, store, listeners } = program;
  const seen: number[] = [];
  listeners.startListening({
    actionCreator: updateApplied,
    effect() {
      clock.stall(250);
      store.dispatch(recordingStarted());
      seen.push(store.getState().counts.applied);
    },
  });
  for (const id of ['1', '2']) receive(program, message(id));
  clock.advance(100);
  expect(seen).toEqual([1]);
  clock.advance(0);
  expect(seen).toEqual([1, 2]);
  const records = await program.end();
  expect(lateReleases(records)).toMatchObject([{ update: 2, due: 200, tick: 300 }]);
  expect(records.map(({ t }) => t)).toEqual(records.map(({ t }) => t).toSorted((a, b) => a - b));
});

/** What happens in a session; `ms` are the milliseconds of an advance or of a stall. */
const anyEvent = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('message', 'item', 'notification', 'rejected', 'snapshot') },
  { weight: 4, arbitrary: fc.constantFrom('act', 'send', 'close', 'open', 'confirmed') },
  {
    weight: 8,
    arbitrary: fc.record({
      how: fc.constantFrom('advance', 'stall'),
      ms: fc.oneof(
        fc.constantFrom(0, 100, 50, 99.9996, 0.0004, 300),
        fc.integer({ min: 0, max: 450_000 }).map((microseconds) => microseconds / 1000),
      ),
    }),
  },
);

function perform(program: Session, event: string, number: number) {
  const { events, session, store } = program;
  switch (event) {
    case 'message':
      return receive(program, message(`${number}`));
    case 'item':
      return receive(program, item(`item ${number}`));
    case 'notification':
      return receive(program, {});
    case 'rejected':
      return receive(program, { person: 7 });
    case 'snapshot':
      return receive(program, { person: 'Ada', messages: [message('a'), message('b')] });
    case 'act':
      return void store.dispatch(ofWindow(textBoxEdited({ text: `draft ${number}` }), 1));
    case 'send':
      return session.send({ category: 'text', text: 'hi', blob: null });
    case 'close':
      return events.closed({ code: 1006, reason: '' }, 500);
    case 'open':
      return events.opened();
    default:
      return events.confirmed();
  }
}

/** Main's state at a time since the launch; of several at one time, the last. */
type Samples = Map<number, unknown>;

function play(program: Session, plan: readonly (string | { how: string; ms: number })[]): Samples {
  const { clock, store } = program;
  const samples: Samples = new Map();
  for (const [number, event] of plan.entries()) {
    if (typeof event === 'string') perform(program, event, number);
    else if (event.how === 'stall') clock.stall(event.ms);
    else clock.advance(event.ms);
    if (typeof event === 'string' || event.how === 'advance') {
      const now = store.catchUp();
      samples.set(sinceLaunch(now, store.getState().queue.launchedAt ?? 0), shown(store.getState()));
    }
  }
  return samples;
}

test('contract §6 release: a replay has main’s whole state at every moment of any session, however late the timers are', async () => {
  const program = await started();
  const { clock, store, listeners } = program;
  let work: number[] = [];
  listeners.startListening({
    actionCreator: updateApplied,
    effect() {
      clock.stall(work.pop() ?? 0);
      store.dispatch(store.getState().audio.isRecording ? recordingStopped() : recordingStarted());
    },
  });
  let late = 0;
  let compared = 0;
  await checkAsyncProperty(
    fc.asyncProperty(
      fc.array(anyEvent, { minLength: 20, maxLength: 60 }),
      fc.array(fc.constantFrom(0, 0, 0, 0, 30, 250), { maxLength: 20 }),
      async (plan, busy) => {
        const session = program.launch();
        work = [...busy];
        const samples = play(session, plan);
        const records = await session.end();
        const launch = records.find(({ type }) => type === 'launch')?.t ?? 0;
        for (const [time, state] of samples) {
          const at = captureTime(time, launch);
          const engine = createParleyEngine({ at });
          records.every((record) => engine.take(record));
          expect(shown(engine.finish())).toEqual(state);
        }
        late += lateReleases(records).length;
        compared += samples.size;
      },
    ),
    100,
  );
  expect(late).toBeGreaterThan(100);
  expect(compared).toBeGreaterThan(1000);
});
