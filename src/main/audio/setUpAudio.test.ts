import { describe, expect, test } from 'vitest';
import { attentionGained, attentionLost, noticeRaised } from '#shared/actions/mainActions.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import type { ToolsReceived } from '#shared/ipc/channels.ts';
import type { AudioWindow } from '#main/window/messengerWindows.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import { type MainStoreOptions, mainStore } from '#tests/builders/mainStore.ts';

/** A window, and what main sent to it on the channels that Parley adds. */
interface TestAudioWindow extends AudioWindow {
  readonly sent: (readonly [channel: keyof ToolsReceived, ...args: unknown[]])[];
  /** Destroys its page. */
  destroyPage(): void;
  /** Returns the number of `onGone` listeners. */
  watchers(): number;
}

function testWindow(id: number): TestAudioWindow {
  const sent: TestAudioWindow['sent'] = [];
  const watchers = new Set<() => void>();
  return {
    id,
    sent,
    send: (channel, ...args: readonly unknown[]) => void sent.push([channel, ...args]),
    onGone(task) {
      watchers.add(task);
      return () => watchers.delete(task);
    },
    destroyPage: () => [...watchers].forEach((task) => task()),
    watchers: () => watchers.size,
  };
}

interface Options extends MainStoreOptions {
  readonly isAudioOn?: boolean;
  /** Whether a window has the focus. */
  readonly isWatched?: boolean;
  /** Whether another program has the shortcut. */
  readonly isShortcutTaken?: boolean;
  /** The number of windows. */
  readonly windows?: number;
}

/** Creates the audio module with the real store and listeners, on a clock that the test advances. */
async function mainAudio({
  isAudioOn = true,
  isWatched = true,
  isShortcutTaken = false,
  windows: count = 2,
  ...options
}: Options = {}) {
  const main = await mainStore({ keepsModules: true, ...options });
  const { store, listeners, clock } = main;
  const { setUpAudio } = await import('#main/audio/setUpAudio.ts');
  const { performAudioActions } = await import('#main/actions/performUserActions.ts');
  const shortcuts = new Map<string, () => void>();
  const windows = Array.from({ length: count }, (_, id) => testWindow(id + 1));
  const sent: unknown[][] = [];
  const setting = { isAudioOn };
  const audio = setUpAudio({
    store,
    listeners,
    clock,
    isAudioOn: () => setting.isAudioOn,
    windows: () => windows,
    sendToWindows: (channel, ...args) => void sent.push([channel, ...args]),
    shortcuts: {
      register(accelerator, press) {
        if (!isShortcutTaken) shortcuts.set(accelerator, press);
        return !isShortcutTaken;
      },
      unregister: (accelerator) => void shortcuts.delete(accelerator),
    },
  });
  performAudioActions({
    listeners,
    audio,
    windowFor: (act) => windows.find(({ id }) => id === windowOf(act)) ?? windows[0],
  });
  const notes: string[] = [];
  listeners.startListening({
    actionCreator: noticeRaised,
    effect: ({ payload: { text } }) => void notes.push(text),
  });
  if (isWatched) store.dispatch(attentionGained());
  for (const window of windows) audio.loaded(window);
  return {
    ...main,
    audio,
    windows,
    /** The notices for every window. */
    notes,
    /** What main sent to every window on the channels of spec §6.3. */
    sent,
    /** Returns what was sent so far, and clears it. */
    takeSent: () => sent.splice(0),
    shortcuts,
    setting,
    state: () => store.getState().audio,
    launch: () => void store.dispatch(sessionLaunched({ launchedAt: clock.now() })),
    endSession: () => void store.dispatch(sessionEnded()),
    /** Applies an update, as at its tick. */
    apply(frame: object) {
      const update = decodeUpdate(JSON.stringify(frame));
      if (update.kind === 'rejected') throw new Error(`not an update: ${update.where ?? update.reason}`);
      store.dispatch(updateApplied({ update, bytes: 0, tick: 0 }));
    },
    press: () => shortcuts.get('CommandOrControl+Return')?.(),
  };
}

const SOUND = { category: 'audio', text: null, blob: 'AAEC' };
const TEXT = { category: 'text', text: 'hi', blob: null };
const message = (id: string, ...content: object[]) => ({ id, modifier: 'ai', content });

/** Starts a session with audio on. */
async function on(options: Parameters<typeof mainAudio>[0] = {}) {
  const main = await mainAudio(options);
  main.launch();
  const [first, second] = main.windows;
  if (first === undefined || second === undefined) throw new Error('two windows are needed');
  return { ...main, first, second };
}

/** Starts a session with audio on and three messages: two with a sound, one without. */
async function withSounds() {
  const main = await on();
  main.apply({
    person: 'Ada',
    messages: [message('a', TEXT, SOUND), message('b', SOUND), message('c', TEXT)],
  });
  return { ...main, a: { message: 0, item: 1 }, b: { message: 1, item: 0 } };
}

describe('the module', () => {
  test('spec §3.3 start-up, contract §2 PARLEY_AUDIO: stays off at the launch of a session without audio: takes no shortcut, records and plays nothing', async () => {
    const { launch, state, shortcuts, audio, apply, windows, sent } = await mainAudio({ isAudioOn: false });
    launch();
    apply(message('a', SOUND));
    const [window] = windows;
    if (window !== undefined) {
      audio.toggleRecording(window);
      audio.play(window, { message: 0, item: 0 });
    }
    expect(state()).toEqual({ isOn: false, isRecording: false, playing: null });
    expect([shortcuts.size, sent, window?.sent]).toEqual([0, [], []]);
  });

  test('contract §2 PARLEY_AUDIO: starts and ends with each session when audio is on', async () => {
    const { launch, endSession, state, shortcuts } = await mainAudio();
    expect([state().isOn, shortcuts.size]).toEqual([false, 0]);
    launch();
    expect([state().isOn, [...shortcuts.keys()]]).toEqual([true, ['CommandOrControl+Return']]);
    endSession();
    expect([state().isOn, shortcuts.size]).toEqual([false, 0]);
    launch();
    expect([state().isOn, shortcuts.size]).toEqual([true, 1]);
  });

  test('turns on and off when the setting changes during a session', async () => {
    const { launch, setting, state, shortcuts, apply } = await mainAudio({ isAudioOn: false });
    launch();
    setting.isAudioOn = true;
    apply({ name: 'any action' });
    expect([state().isOn, shortcuts.size]).toEqual([true, 1]);
    setting.isAudioOn = false;
    apply({ name: 'any other' });
    expect([state().isOn, shortcuts.size]).toEqual([false, 0]);
  });

  test('shows a notice once when another program has the shortcut, and records in the window of the button', async () => {
    const { notes, first, second, audio, store, endSession, launch } = await on({ isShortcutTaken: true });
    const text =
      'Another program has the shortcut Ctrl+Enter (⌘+Enter). Record with the microphone button instead.';
    expect(notes).toEqual([text]);
    audio.toggleRecording(second);
    audio.toggleRecording(first);
    expect(second.sent.map(([, order]) => order)).toEqual(['start', 'stop']);
    expect(first.sent).toEqual([]);
    store.dispatch(attentionLost());
    store.dispatch(attentionGained());
    expect(notes).toHaveLength(1);
    endSession();
    launch();
    expect(notes).toHaveLength(2);
  });
});

describe('recording', () => {
  test('spec §3.3 row 1, §6.3 record: starts a recording with the shortcut: notifies the windows, and only the first window records', async () => {
    const { press, sent, first, second, state } = await on();
    press();
    expect(state().isRecording).toBe(true);
    expect(sent).toEqual([['record', true]]);
    expect([first.sent, second.sent]).toEqual([[['capture', 'start', 1]], []]);
  });

  test('spec §3.3 row 2, contract §4 record: stops the recording with the shortcut: notifies the windows, and the window sends it', async () => {
    const { press, takeSent, sent, first, state, clock } = await on();
    press();
    takeSent();
    press();
    expect(state().isRecording).toBe(false);
    expect(sent).toEqual([['record', false]]);
    expect(first.sent).toEqual([
      ['capture', 'start', 1],
      ['capture', 'stop', 1],
    ]);
    expect([clock.nextDue(), first.watchers()]).toEqual([undefined, 0]);
  });

  test('spec §3.3 row 2, §8 recording length: stops each recording after exactly 15 s', async () => {
    const { press, sent, first, state, clock } = await on();
    press();
    clock.advance(14_999);
    expect([state().isRecording, sent.length]).toEqual([true, 1]);
    clock.advance(1);
    expect([state().isRecording, sent.at(-1)]).toEqual([false, ['record', false]]);
    expect(first.sent.at(-1)).toEqual(['capture', 'stop', 1]);
    clock.advance(60_000);
    expect([sent.length, first.sent.length]).toEqual([2, 2]);
    press();
    clock.advance(10_000);
    press();
    press();
    clock.advance(14_999);
    expect(state().isRecording).toBe(true);
    clock.advance(1);
    expect(state().isRecording).toBe(false);
  });

  test('stops the recording and sends nothing when the window cannot record', async () => {
    const { audio, press, first, second, sent, clock } = await on();
    press();
    audio.recordingFailed(first, 7);
    audio.recordingFailed(second, 1);
    expect(sent).toHaveLength(1);
    audio.recordingFailed(first, 1);
    expect(sent).toEqual([
      ['record', true],
      ['record', false],
    ]);
    expect(first.sent.at(-1)).toEqual(['capture', 'discard', 1]);
    expect(clock.nextDue()).toBeUndefined();
  });

  test('stops the recording, sends nothing and notifies the other window when the page is closed', async () => {
    const { press, first, notes, state, clock } = await on();
    press();
    first.destroyPage();
    expect([state().isRecording, clock.nextDue()]).toEqual([false, undefined]);
    expect(first.sent.map(([, order]) => order)).toEqual(['start', 'discard']);
    expect(notes).toEqual([
      'The recording was dropped: its window was closed or reloaded. Nothing was sent.',
    ]);
  });

  test('spec §3.1 row 5: stops the recording and sends nothing at a sign-out', async () => {
    const { press, endSession, first, state, sent, clock } = await on();
    press();
    endSession();
    expect(state()).toEqual({ isOn: false, isRecording: false, playing: null });
    expect(sent.at(-1)).toEqual(['record', false]);
    expect(first.sent.at(-1)).toEqual(['capture', 'discard', 1]);
    clock.advance(60_000);
    expect(sent).toHaveLength(2);
  });
});

describe('playback', () => {
  test('spec §3.3 row 3: starts a playback: notifies the windows of its id, and only the requesting window plays', async () => {
    const { audio, second, first, a, sent, state } = await withSounds();
    audio.play(second, a);
    expect(state().playing).toEqual({ id: 'a', ...a });
    expect(sent).toEqual([['playback', 'a', true]]);
    expect([first.sent, second.sent]).toEqual([[], [['sound', 1, a]]]);
  });

  test('spec §3.3 row 3, §6.3 playback, contract §4 record: cancels the first playback when another one starts, and notifies the windows of both ids in order', async () => {
    const { audio, first, second, a, b, takeSent, sent } = await withSounds();
    audio.play(first, a);
    takeSent();
    audio.play(second, b);
    expect(sent).toEqual([
      ['playback', 'a', false],
      ['playback', 'b', true],
    ]);
    expect(first.sent.at(-1)).toEqual(['sound', 1, null]);
    expect(second.sent).toEqual([['sound', 2, b]]);
  });

  test('spec §3.3 row 4, §8 playback end: ends the playback 500 ms after the last audio write and notifies the windows', async () => {
    const { audio, first, a, takeSent, sent, state, clock } = await withSounds();
    audio.play(first, a);
    clock.advance(5000);
    expect(state().playing?.id).toBe('a');
    for (let write = 0; write < 10; write++) {
      audio.audioWritten(first, 1);
      clock.advance(499);
    }
    expect(state().playing?.id).toBe('a');
    takeSent();
    clock.advance(1);
    expect([state().playing, sent]).toEqual([null, [['playback', 'a', false]]]);
    clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });

  test('starts the playback again at a late write, but not after a stop, which silences the window', async () => {
    const { audio, first, a, sent, state, clock } = await withSounds();
    audio.play(first, a);
    audio.audioWritten(first, 1);
    clock.advance(500);
    audio.audioWritten(first, 1);
    expect(state().playing?.id).toBe('a');
    audio.stopPlayback();
    expect(first.sent.at(-1)).toEqual(['sound', 1, null]);
    audio.audioWritten(first, 1);
    expect([state().playing, clock.nextDue(), first.watchers()]).toEqual([null, undefined, 0]);
    expect(sent.map(([, , isPlaying]) => isPlaying)).toEqual([true, false, true, false]);
  });

  test('ends the playback when the window cannot play it, and ignores the failure of an older one or from another window', async () => {
    const { audio, first, second, a, b, state } = await withSounds();
    audio.play(first, a);
    audio.play(first, b);
    audio.playbackFailed(first, 1);
    audio.playbackFailed(second, 2);
    expect(state().playing?.id).toBe('b');
    audio.playbackFailed(first, 2);
    expect(state().playing).toBeNull();
  });

  test.each([
    ['closes', (main: Awaited<ReturnType<typeof withSounds>>) => main.first.destroyPage()],
    ['reloads', (main: Awaited<ReturnType<typeof withSounds>>) => main.audio.loaded(main.first)],
    ['has no session', (main: Awaited<ReturnType<typeof withSounds>>) => main.endSession()],
    ['receives a snapshot', (main: Awaited<ReturnType<typeof withSounds>>) => main.apply({ person: 'Ada' })],
  ])('ends the playback and notifies the windows of its id when the playing window %s', async (_, happen) => {
    const main = await withSounds();
    main.audio.play(main.first, main.a);
    happen(main);
    expect([main.state().playing, main.sent.at(-1)]).toEqual([null, ['playback', 'a', false]]);
  });

  test('plays a sound that arrives in a message or as an item in the first window', async () => {
    const { apply, first, second, sent } = await on();
    apply(message('a', TEXT, SOUND));
    apply(message('b', TEXT));
    apply(SOUND);
    expect(sent).toEqual([
      ['playback', 'a', true],
      ['playback', 'a', false],
      ['playback', 'b', true],
    ]);
    expect(first.sent.map(([, number, place]) => [number, place])).toEqual([
      [1, { message: 0, item: 1 }],
      [1, null],
      [2, { message: 1, item: 1 }],
    ]);
    expect(second.sent).toEqual([]);
  });

  test('plays neither the person’s own recording nor the sounds of a snapshot', async () => {
    const { apply, sent } = await on();
    apply({ person: 'Ada', messages: [message('a', SOUND)] });
    apply({ id: 'b', modifier: 'client', content: [SOUND] });
    expect(sent).toEqual([]);
  });
});
