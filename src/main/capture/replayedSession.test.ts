import { LOCAL } from '#shared/isOfType.ts';
import { expect, test, afterEach, vi } from 'vitest';
import { createParleyEngine, stateDocument } from '#replay/parley/parley.ts';
import { replayFile } from '#replay/engine/replayFile.ts';
import { continuedEngine, stateAfter } from '#replay/engine/continuedEngine.ts';
import { parleyReports } from '#replay/parley/parleyReports.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import type { MainStore } from '../store/mainStore.ts';
import { preferencesChanged, signInRequested } from '#shared/actions/userActions.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import {
  attentionGained,
  attentionLost,
  audioStarted,
  preferencesLoaded,
  recordingStarted,
  recordingStopped,
  windowClosed,
  windowFocused,
  windowMinimized,
  windowOpened,
  windowShown,
} from '#shared/actions/mainActions.ts';
import { backlogReported, updateApplied } from '#shared/actions/sessionActions.ts';
import * as windowActions from '#shared/actions/windowActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { ADA, messengerAt, waitForState } from '#tests/builders/messengerAt.ts';
import { mainRecorder, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';
import * as fc from 'fast-check';
import { captureTime, type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { sinceLaunch } from '#shared/store/queue.ts';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import type { ConnectionEvents } from '../session/platformConnection.ts';

/** A limit that a few updates reach. */
vi.mock('#shared/limits.ts', async (original) => ({ ...(await original<object>()), QUEUE_BYTES: 64_000 }));

/** Starts a program with a recorder. `sample` stores the live state at a moment, after which time passes. */
async function recordedProgram() {
  const platform = await platformForTest();
  const recorded = mainRecorder();
  const { recorder: capture, clock, kept } = recorded;
  const main = await messengerAt(platform, { capture, clock, kept });
  const samples: { readonly at: number; readonly state: unknown }[] = [];
  let startedAt = clock.now();
  return {
    ...main,
    platform,
    recorded,
    samples,
    /** The samples that follow belong to the recording that has just started. */
    nextRecording() {
      startedAt = clock.now();
      samples.length = 0;
    },
    sample() {
      samples.push({ at: clock.now() - startedAt, state: throughJson(shown(main.store.getState())) });
      clock.advance(10.25);
    },
  };
}

type Program = Awaited<ReturnType<typeof recordedProgram>>;

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const shown = (state: ReturnType<MainStore['getState']> | Parameters<typeof stateDocument>[0]) => ({
  ...stateDocument(state),
  ...('conversation' in state && { conversation: toSnapshot(state.conversation) }),
});

/** Replays a capture up to each sample, and compares the states. */
async function expectSamples(path: string, samples: Program['samples']) {
  for (const { at, state } of samples) {
    const { replay } = await replayFile(path, createParleyEngine({ at }));
    expect(throughJson(shown(replay))).toEqual(state);
  }
}

/** Replays two captures of the program up to each sample of the second one: it continues the state after the first one's end. */
async function expectSamplesAfter(
  first: string,
  { second, samples }: { readonly second: string; readonly samples: Program['samples'] },
) {
  const adapter = { ...parleyAdapter(), reports: parleyReports() };
  const after = await stateAfter([first], adapter);
  for (const { at, state } of samples) {
    const engine = continuedEngine({ name: second, adapter, options: { at }, after });
    const { replay } = await replayFile(second, engine);
    expect(engine.differences()).toEqual([]);
    expect(throughJson(shown(replay))).toEqual(state);
  }
}

/** Replays a capture beyond the end of its session. */
async function passedEnd(path: string) {
  const { replay } = await replayFile(path, createParleyEngine({ passesEnd: true }));
  return shown(replay);
}

function openWindows({ store, sample }: Program) {
  store.dispatch(preferencesLoaded({ stored: { theme: 'dark' }, environment: { audio: false } }));
  for (const number of [1, 2]) {
    store.dispatch(windowOpened(number));
    store.dispatch(windowShown(number));
    store.dispatch(ofWindow(windowActions.stateReported({ state: initialWindowState }), number));
    store.dispatch(ofWindow(windowActions.viewChanged({ view: 'login' }), number));
  }
  store.dispatch(windowFocused(2));
  store.dispatch(attentionGained());
  sample();
}

async function signIn({ store, sample, messenger, platform, clock }: Program) {
  store.dispatch(ofWindow(windowActions.signInFormEdited({ email: ADA.email, name: '' }), 1));
  store.dispatch(ofWindow(windowActions.signInFormSubmitted(), 1));
  store.dispatch({ type: signInRequested.type, meta: LOCAL });
  platform.auth.answer({ status: 401, body: 'no such account' });
  const error = await messenger.signIn(ADA);
  store.dispatch(ofWindow(windowActions.signInFormAnswered({ error: error ?? null }), 1));
  sample();
  clock.advance(5000.123);
  platform.auth.answer({ body: 'secret-account' });
  expect(await messenger.signIn(ADA)).toBeUndefined();
  const socket = await platform.sockets.next();
  for (const number of [1, 2])
    store.dispatch(ofWindow(windowActions.viewChanged({ view: 'conversation' }), number));
  sample();
  return socket;
}

async function talk(program: Program, socket: Awaited<ReturnType<typeof signIn>>) {
  const { store, sample, messenger, clock, platform } = program;
  socket.send({ person: 'Ada Lovelace', messages: [], theme: { hue: 4 }, words: ['stop', 'again'] });
  for (const text of ['one', 'two', 'three'])
    socket.send({ modifier: 'ai', id: text, content: [{ category: 'text', text }] });
  await waitForState(store, ({ counts }) => counts.received === 4);
  sample();
  for (const text of ['h', 'he', 'hello']) {
    store.dispatch(
      ofWindow(
        text === 'h' ? windowActions.textBoxOpened({ text }) : windowActions.textBoxEdited({ text }),
        2,
      ),
    );
    sample();
  }
  clock.advance(1000);
  await waitForState(store, ({ connection }) => connection.status === 'connected');
  messenger.send({ category: 'text', text: 'hello', blob: null });
  store.dispatch(ofWindow(windowActions.textBoxSent(), 2));
  store.dispatch(ofWindow(windowActions.fileOffered({ name: 'ada.exe', size: 5, type: '' }), 2));
  store.dispatch(ofWindow(windowActions.fileRefused({ name: 'ada.exe', size: 5, reason: 'tooLarge' }), 2));
  store.dispatch(ofWindow(windowActions.alertShown({ text: 'The file is too large.' }), 2));
  sample();
  store.dispatch(ofWindow(windowActions.alertDismissed(), 2));
  store.dispatch(ofWindow(windowActions.fileSent({ name: 'ada.png', size: 5 }), 2));
  store.dispatch(audioStarted());
  store.dispatch(recordingStarted());
  store.dispatch(ofWindow(windowActions.leftBottom(), 1));
  sample();
  store.dispatch(recordingStopped());
  store.dispatch(preferencesChanged({ theme: 'light', audio: true }));
  store.dispatch(windowMinimized(1));
  store.dispatch(attentionLost());
  store.dispatch(backlogReported({ updates: 30 }));
  socket.send({ modifier: 'ai', id: 'four', content: [] });
  await waitForState(store, ({ counts }) => counts.received === 5);
  clock.advance(1000);
  sample();
  socket.close(1000, 'maintenance');
  await waitForState(store, ({ connection }) => connection.closedBecause !== null);
  sample();
  program.reconnect();
  await platform.sockets.next();
  await platform.roundTrip();
  sample();
}

test('a replay has every slice of main, except those that a capture does not contain', async () => {
  const { store } = await mainStore();
  const notRecorded = new Set(['account', 'sequence', 'conversationStart', 'timesOfDay', 'notices']);
  const slices = Object.keys(store.getState()).filter((name) => !notRecorded.has(name));
  expect(Object.keys(createParleyEngine().state()).sort()).toEqual(slices.sort());
});

/** Returns whether a recording began after a session, with the state of that time. */
const beginsWithState = (path: string) => 'synthetic' in (readCaptureFile(path).records[0] ?? {});

test('contract §6: a replay has the state of main and of each window at every moment, from the capture alone', async () => {
  const program = await recordedProgram();
  const { messenger, recorded, store, samples } = program;
  openWindows(program);
  await talk(program, await signIn(program));
  // The page of window 2 is closed: it reports neither the sign-out nor that its draft is gone.
  for (const act of [
    windowActions.textBoxOpened({ text: 'a draft' }),
    windowActions.noteShown({ text: 'a note' }),
    windowActions.findEdited({ text: 'hi' }),
  ])
    store.dispatch(ofWindow(act, 2));
  program.sample();
  const ofFirst = [...samples];
  await messenger.signOut();
  const ofEnd = throughJson(shown(store.getState()));
  program.nextRecording();
  program.sample();
  store.dispatch(windowClosed(1));
  await messenger.signIn(ADA);
  await program.platform.sockets.next();
  await program.platform.roundTrip();
  program.sample();
  await messenger.signOut();
  await recorded.recorder.settling();
  const first = recorded.files().find((path) => !beginsWithState(path)) ?? '';
  const second = recorded.files().find(beginsWithState) ?? '';
  await expectSamples(first, ofFirst);
  expect(throughJson(await passedEnd(first))).toEqual(ofEnd);
  expect(ofFirst.length).toBeGreaterThan(9);
  await expectSamples(second, samples);
  await expectSamplesAfter(first, { second, samples });
  expect(JSON.stringify([ofFirst.at(-1), samples[0]].map(Object))).toMatch(/a draft.*"textBox":null/u);
  expect(ofFirst.at(-1)?.state).toMatchObject({
    title: '(1) Parley',
    attention: { unread: 1 },
    snapshotFields: { theme: { hue: 4 }, words: ['stop', 'again'] },
    words: ['stop', 'again'],
    appliedUpdates: 5,
    wasConnected: true,
  });
});

/** The time of the launch in the capture; on the clock it has more digits. */
const LAUNCHED_AT = 1234.568;

afterEach(() => {
  vi.doUnmock('../session/platformConnection.ts');
  // Later files of the process must not get the modules with the mocks.
  vi.resetModules();
});

/** Starts a program with a recorder and a virtual clock, whose sessions have the test as their socket. */
async function started(options: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(options);
  const { recorder: capture, clock, kept } = recorded;
  const main = await mainStore({ capture, clock, kept });
  const sockets: ConnectionEvents[] = [];
  const calls: string[] = [];
  const pause = (by: string) => void (by === 'queue' && calls.push('pause'));
  const resume = (by: string) => void (by === 'queue' && calls.push('resume'));
  vi.doMock('../session/platformConnection.ts', () => ({
    connect({ events }: { readonly events: ConnectionEvents }) {
      sockets.push(events);
      return { send: () => 'sent', pause, resume, reconnect() {}, onResume() {}, end() {} };
    },
  }));
  const { launchSession } = await import('../session/launchSession.ts');
  main.store.dispatch(windowOpened(1));
  clock.advance(LAUNCHED_AT - 0.0002);
  const known = new Set<string>();
  return {
    ...main,
    recorded,
    launch() {
      // A session begins with windows as new ones.
      main.store.dispatch(ofWindow(windowActions.stateReported({ state: initialWindowState }), 1));
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
        /** When the queue pauses and resumes the socket. */
        calls,
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

const shownLate = (state: ReturnType<MainStore['getState']> | Parameters<typeof stateDocument>[0]) =>
  throughJson({ ...stateDocument(state), conversation: toSnapshot(state.conversation) });

function receive({ events }: Session, frame: object) {
  const text = JSON.stringify(frame);
  events.frame(text, Buffer.from(text));
}

const lateReleases = (records: readonly CaptureRecord[]) => records.filter(({ type }) => type === 'release');

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

test.each([
  // How many need more than the limit, and how many need half of it or less.
  ['texts', JSON.stringify({ text: 'x'.repeat(8000) }), 8, 3],
  ['short frames of many objects', `{"text":"","unknown":[${'{},'.repeat(300)}{}]}`, 3, 1],
  ['one that is larger than the limit', `{"text":"","unknown":[${'{},'.repeat(900)}{}]}`, 1, 0],
])(
  'stops reading at the limit of memory for waiting updates until half is released: %s',
  async (...[, text, most, half]) => {
    const { events, calls, clock } = (await started({ writesFiles: false })).launch();
    for (let frames = 1; frames <= most; frames++) {
      expect(calls).toEqual([]);
      events.frame(text, Buffer.from(text));
    }
    expect(calls).toEqual(['pause']);
    clock.advance(100 * (most - half) - 1);
    expect(calls).toEqual(['pause']);
    clock.advance(1);
    expect(calls).toEqual(['pause', 'resume']);
  },
);

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
      return void store.dispatch(ofWindow(windowActions.textBoxEdited({ text: `draft ${number}` }), 1));
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
      samples.set(sinceLaunch(now, store.getState().queue.launchedAt ?? 0), shownLate(store.getState()));
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
          expect(shownLate(engine.finish())).toEqual(state);
        }
        late += lateReleases(records).length;
        compared += samples.size;
      },
    ),
    30,
  );
  expect(late).toBeGreaterThan(30);
  expect(compared).toBeGreaterThan(300);
});
