import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { attentionGained, attentionLost, noticeRaised } from '#shared/actions/mainActions.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import type { ToolsReceived } from '#shared/ipc/channels.ts';
import type { AudioWindow } from '#main/window/messengerWindows.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import { mainStore } from '#tests/builders/mainStore.ts';

function testWindow(id: number) {
  const sent: (readonly [channel: keyof ToolsReceived, ...args: unknown[]])[] = [];
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
  } satisfies AudioWindow & Record<string, unknown>;
}

async function mainAudio({ isShortcutTaken = false } = {}) {
  const main = await mainStore({ keepsModules: true });
  const { store, listeners, clock } = main;
  const { setUpAudio } = await import('#main/audio/setUpAudio.ts');
  const { performAudioActions } = await import('#main/actions/performUserActions.ts');
  const shortcuts = new Map<string, () => void>();
  const [first, second] = [testWindow(1), testWindow(2)];
  const windows = [first, second];
  const sent: unknown[][] = [];
  const setting = { isAudioOn: true };
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
  const windowFor = (act: Action) => windows.find(({ id }) => id === windowOf(act)) ?? windows[0];
  performAudioActions({ listeners, audio, windowFor });
  const notes: string[] = [];
  const keep = ({ payload }: ReturnType<typeof noticeRaised>) => void notes.push(payload.text);
  listeners.startListening({ actionCreator: noticeRaised, effect: keep });
  store.dispatch(attentionGained());
  for (const window of windows) audio.loaded(window);
  return {
    ...main,
    audio,
    first,
    second,
    notes,
    sent,
    shortcuts,
    setting,
    state: () => store.getState().audio,
    launch: () => void store.dispatch(sessionLaunched({ launchedAt: clock.now() })),
    endSession: () => void store.dispatch(sessionEnded()),
    apply: (frame: object) =>
      void store.dispatch(updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 })),
    press: () => shortcuts.get('CommandOrControl+Return')?.(),
  };
}

const SOUND = { category: 'audio', text: null, blob: 'AAEC' };
const TEXT = { category: 'text', text: 'hi', blob: null };
const message = (id: string, ...content: object[]) => ({ id, modifier: 'ai', content });

async function on(options?: Parameters<typeof mainAudio>[0]) {
  const main = await mainAudio(options);
  main.launch();
  return main;
}

type Main = Awaited<ReturnType<typeof on>>;

/** Starts a session with audio on and three messages: two with a sound, one without. */
async function withSounds() {
  const main = await on();
  const messages = [message('a', TEXT, SOUND), message('b', SOUND), message('c', TEXT)];
  main.apply({ person: 'Ada', messages });
  return { ...main, a: { message: 0, item: 1 }, b: { message: 1, item: 0 } };
}

test('spec §3.3 start-up, contract §2 PARLEY_AUDIO: is on during each session with the setting, from and to its change; takes no shortcut, records and plays nothing while it is off', async () => {
  const { launch, endSession, setting, apply, audio, first, sent, state, shortcuts } = await mainAudio();
  const change = (isAudioOn: boolean) => {
    setting.isAudioOn = isAudioOn;
    apply({ name: `any action ${isAudioOn}` });
  };
  const seen = [() => {}, launch, endSession, launch, () => change(true), () => change(false)].map((act) => {
    act();
    return `${state().isOn} ${Array.from(shortcuts.keys(), String).join('')}`;
  });
  const isOn = 'true CommandOrControl+Return';
  expect(seen).toEqual(['false ', isOn, 'false ', isOn, isOn, 'false ']);
  apply(message('a', SOUND));
  audio.toggleRecording(first);
  audio.play(first, { message: 0, item: 0 });
  expect(state()).toEqual({ isOn: false, isRecording: false, playing: null });
  expect([sent, first.sent]).toEqual([[], []]);
  change(true);
  expect(state().isOn).toBe(true);
});

test('has the shortcut while a window has the focus or a recording runs', async () => {
  const { store, press, shortcuts } = await on();
  press();
  store.dispatch(attentionLost());
  expect(shortcuts.size).toBe(1);
  press();
  expect(shortcuts.size).toBe(0);
  store.dispatch(attentionGained());
  expect(shortcuts.size).toBe(1);
});

test('shows a notice once when another program has the shortcut, and records in the window of the button', async () => {
  const { notes, first, second, audio, store, endSession, launch } = await on({ isShortcutTaken: true });
  const text = 'Another program has the shortcut Ctrl+Enter (⌘+Enter).';
  expect(notes).toEqual([`${text} Record with the microphone button instead.`]);
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

test('spec §3.3 row 1, §3.3 row 2, §6.3 record, contract §4 record: records with the shortcut in the first window, which sends it at the next press, and notifies the windows', async () => {
  const { press, sent, first, second, state, clock } = await on();
  press();
  expect([state().isRecording, sent]).toEqual([true, [['record', true]]]);
  press();
  expect([state().isRecording, sent.at(-1)]).toEqual([false, ['record', false]]);
  expect(first.sent.map((one) => one.join(' '))).toEqual(['capture start 1', 'capture stop 1']);
  expect([second.sent, clock.nextDue(), first.watchers()]).toEqual([[], undefined, 0]);
});

test('spec §3.3 row 2, §8 recording length: stops each recording after exactly 15 s', async () => {
  const { press, sent, first, state, clock } = await on();
  press();
  clock.advance(14_999);
  expect([state().isRecording, sent.length]).toEqual([true, 1]);
  clock.advance(1);
  expect([state().isRecording, sent.at(-1)]).toEqual([false, ['record', false]]);
  expect(first.sent.at(-1)).toEqual(['capture', 'stop', 1]);
  press();
  clock.advance(10_000);
  press();
  press();
  clock.advance(14_999);
  expect(state().isRecording).toBe(true);
  clock.advance(1);
  expect(state().isRecording).toBe(false);
});

const LOST = 'The recording was dropped: its window was closed or reloaded. Nothing was sent.';

test.each<[string, (main: Main) => void, { notes?: string[]; own?: unknown[] }]>([
  ['the window cannot record', ({ audio, first }) => audio.recordingFailed(first, 1), {}],
  ['the page is closed', ({ first }) => first.destroyPage(), { notes: [LOST] }],
  ['the page reloads', ({ audio, first }) => audio.loaded(first), { own: [['voiceNote', LOST]] }],
  ['the person signs out (spec §3.1 row 5)', ({ endSession }) => endSession(), {}],
])('stops the recording and sends nothing when %s', async (_, end, { notes = [], own = [] }) => {
  const main = await on();
  const { press, audio, first, second, sent, state, clock } = main;
  press();
  audio.recordingFailed(first, 7);
  audio.recordingFailed(second, 1);
  expect(sent).toHaveLength(1);
  end(main);
  expect([state().isRecording, sent.at(-1), clock.nextDue()]).toEqual([false, ['record', false], undefined]);
  expect(first.sent.slice(1)).toEqual([['capture', 'discard', 1], ...own]);
  expect(main.notes).toEqual(notes);
});

test('spec §3.3 row 3, §6.3 playback, contract §4 record: plays a sound in the requesting window only, cancels the one before, and notifies the windows of both ids in order', async () => {
  const { audio, first, second, a, b, sent, state } = await withSounds();
  audio.play(first, a);
  expect([state().playing, sent]).toEqual([{ id: 'a', ...a }, [['playback', 'a', true]]]);
  expect([first.sent, second.sent]).toEqual([[['sound', 1, a]], []]);
  audio.play(second, b);
  expect(sent.slice(1).map(String)).toEqual(['playback,a,false', 'playback,b,true']);
  expect([first.sent.at(-1), second.sent]).toEqual([['sound', 1, null], [['sound', 2, b]]]);
});

test('spec §3.3 row 4, §8 playback end: ends the playback 500 ms after the last audio write, and starts it again at a late write, but not after a stop, which silences the window', async () => {
  const { audio, first, a, sent, state, clock } = await withSounds();
  audio.play(first, a);
  clock.advance(5000);
  expect(state().playing?.id).toBe('a');
  for (let write = 0; write < 10; write++) {
    audio.audioWritten(first, 1);
    clock.advance(499);
  }
  expect(state().playing?.id).toBe('a');
  clock.advance(1);
  expect([state().playing, sent.at(-1)]).toEqual([null, ['playback', 'a', false]]);
  audio.audioWritten(first, 1);
  expect(state().playing?.id).toBe('a');
  audio.stopPlayback();
  expect(first.sent.at(-1)).toEqual(['sound', 1, null]);
  audio.audioWritten(first, 1);
  expect([state().playing, clock.nextDue(), first.watchers()]).toEqual([null, undefined, 0]);
  expect(sent.map(([, , isPlaying]) => isPlaying)).toEqual([true, false, true, false]);
});

test.each<[string, (main: Main) => void]>([
  ['closes', ({ first }) => first.destroyPage()],
  ['reloads', ({ audio, first }) => audio.loaded(first)],
  ['cannot play it', ({ audio, first }) => audio.playbackFailed(first, 2)],
  ['has no session', ({ endSession }) => endSession()],
  ['receives a snapshot', ({ apply }) => apply({ person: 'Ada' })],
])('ends the playback and notifies the windows of its id when the playing window %s', async (_, happen) => {
  const main = await withSounds();
  const { audio, first, second, a, b, state, sent } = main;
  audio.play(first, a);
  audio.play(first, b);
  audio.playbackFailed(first, 1);
  audio.playbackFailed(second, 2);
  expect(state().playing?.id).toBe('b');
  happen(main);
  expect([state().playing, sent.at(-1)]).toEqual([null, ['playback', 'b', false]]);
});

test('plays a sound that arrives in a message or as an item in the first window, but neither the person’s own recording nor the sounds of a snapshot', async () => {
  const { apply, first, second, sent } = await on();
  apply({ person: 'Ada', messages: [message('0', SOUND)] });
  apply({ id: '1', modifier: 'client', content: [SOUND] });
  expect(sent).toEqual([]);
  apply(message('a', TEXT, SOUND));
  apply(message('b', TEXT));
  apply(SOUND);
  expect(sent.map(String)).toEqual(['playback,a,true', 'playback,a,false', 'playback,b,true']);
  const [a, b] = [2, 3].map((index) => ({ message: index, item: 1 }));
  expect(first.sent.flatMap(([, ...of]) => of)).toEqual([1, a, 1, null, 2, b]);
  expect(second.sent).toEqual([]);
});
