import { LOCAL } from '#shared/isOfType.ts';
import { expect, test } from 'vitest';
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
import { backlogReported } from '#shared/actions/sessionActions.ts';
import {
  alertDismissed,
  alertShown,
  fileOffered,
  fileRefused,
  fileSent,
  findEdited,
  leftBottom,
  noteShown,
  signInFormAnswered,
  signInFormEdited,
  signInFormSubmitted,
  stateReported,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { ADA, messengerAt, waitForState } from '#tests/builders/messengerAt.ts';
import { mainRecorder, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';

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
    store.dispatch(ofWindow(stateReported({ state: initialWindowState }), number));
    store.dispatch(ofWindow(viewChanged({ view: 'login' }), number));
  }
  store.dispatch(windowFocused(2));
  store.dispatch(attentionGained());
  sample();
}

async function signIn({ store, sample, messenger, platform, clock }: Program) {
  store.dispatch(ofWindow(signInFormEdited({ email: ADA.email, name: '' }), 1));
  store.dispatch(ofWindow(signInFormSubmitted(), 1));
  store.dispatch({ type: signInRequested.type, meta: LOCAL });
  platform.auth.answer({ status: 401, body: 'no such account' });
  const error = await messenger.signIn(ADA);
  store.dispatch(ofWindow(signInFormAnswered({ error: error ?? null }), 1));
  sample();
  clock.advance(5000.123);
  platform.auth.answer({ body: 'secret-account' });
  expect(await messenger.signIn(ADA)).toBeUndefined();
  const socket = await platform.sockets.next();
  for (const number of [1, 2]) store.dispatch(ofWindow(viewChanged({ view: 'conversation' }), number));
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
    store.dispatch(ofWindow(text === 'h' ? textBoxOpened({ text }) : textBoxEdited({ text }), 2));
    sample();
  }
  clock.advance(1000);
  await waitForState(store, ({ connection }) => connection.status === 'connected');
  messenger.send({ category: 'text', text: 'hello', blob: null });
  store.dispatch(ofWindow(textBoxSent(), 2));
  store.dispatch(ofWindow(fileOffered({ name: 'ada.exe', size: 5, type: '' }), 2));
  store.dispatch(ofWindow(fileRefused({ name: 'ada.exe', size: 5, reason: 'tooLarge' }), 2));
  store.dispatch(ofWindow(alertShown({ text: 'The file is too large.' }), 2));
  sample();
  store.dispatch(ofWindow(alertDismissed(), 2));
  store.dispatch(ofWindow(fileSent({ name: 'ada.png', size: 5 }), 2));
  store.dispatch(audioStarted());
  store.dispatch(recordingStarted());
  store.dispatch(ofWindow(leftBottom(), 1));
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
    textBoxOpened({ text: 'a draft' }),
    noteShown({ text: 'a note' }),
    findEdited({ text: 'hi' }),
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
