import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { attentionGained, attentionLost, noticeRaised } from '#shared/actions/mainActions.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import type { AudioWindow } from '#main/window/messengerWindows.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import { tellStories } from '#tests/builders/tellStories.ts';
import { mainStore } from '#tests/builders/mainStore.ts';

const SOUND = { category: 'audio', text: null, blob: 'AAEC' };
const TEXT = { category: 'text', text: 'hi', blob: null };
const message = (id: string, ...content: object[]) => ({ id, modifier: 'ai', content });

const FRAMES: Record<string, object> = {
  snapshot: { person: 'Ada', messages: [message('a', TEXT, SOUND), message('b', SOUND), message('c', TEXT)] },
  own: { id: '1', modifier: 'client', content: [SOUND] },
  message: message('d', TEXT, SOUND),
  text: message('e', TEXT),
  item: SOUND,
};

const PLACES: Record<string, { message: number; item: number }> = {
  a: { message: 0, item: 1 },
  b: { message: 1, item: 0 },
};

/** Begins a story about the audio module with two windows, before a session: what happens is what the windows receive. */
async function beginAudio() {
  const { store, listeners, clock } = await mainStore({ keepsModules: true });
  const { setUpAudio } = await import('#main/audio/setUpAudio.ts');
  const { performAudioActions } = await import('#main/actions/performUserActions.ts');
  const happened: string[] = [];
  const tell =
    (whom: string) =>
    (...sent: readonly unknown[]) =>
      void happened.push(`${whom}: ${sent.map((part) => JSON.stringify(part)).join(' ')}`);
  const gone = [new Set<() => void>(), new Set<() => void>()] as const;
  const openWindow = (id: 1 | 2): AudioWindow => ({
    id,
    send: tell(`window ${id}`),
    onGone(task) {
      gone[id - 1]?.add(task);
      return () => gone[id - 1]?.delete(task);
    },
  });
  const [first, second] = [openWindow(1), openWindow(2)];
  const windows = [first, second];
  const setting = { isAudioOn: true, isShortcutTaken: false };
  const shortcuts = new Map<string, () => void>();
  const audio = setUpAudio({
    store,
    listeners,
    clock,
    isAudioOn: () => setting.isAudioOn,
    windows: () => windows,
    sendToWindows: tell('all'),
    shortcuts: {
      register(accelerator, press) {
        if (!setting.isShortcutTaken) shortcuts.set(accelerator, press);
        return !setting.isShortcutTaken;
      },
      unregister: (accelerator) => void shortcuts.delete(accelerator),
    },
  });
  const windowFor = (act: Action) => windows.find(({ id }) => id === windowOf(act)) ?? windows[0];
  performAudioActions({ listeners, audio, windowFor });
  const effect = ({ payload }: ReturnType<typeof noticeRaised>) => tell('notice')(payload.text);
  listeners.startListening({ actionCreator: noticeRaised, effect });
  store.dispatch(attentionGained());

  const apply = (frame: object) =>
    void store.dispatch(updateApplied({ update: updateOf(frame), bytes: 0, tick: 0 }));
  const set = (change: Partial<typeof setting>) => {
    Object.assign(setting, change);
    apply({ name: `any action ${JSON.stringify(change)}` });
  };
  /** Calls a function with the window that a step names, else the first one, and the step's argument. */
  const inWindow = (act: (window: AudioWindow | undefined, argument: string) => unknown) => (step: string) =>
    act(windows[step.endsWith('in 2') ? 1 : 0], step.replace(/ ?in 2$/, ''));
  return {
    happened,
    acts: {
      launch: () => store.dispatch(sessionLaunched({ launchedAt: clock.now() })),
      end: () => store.dispatch(sessionEnded()),
      set: (to: string) => set({ isAudioOn: to === 'on' }),
      take: () => set({ isShortcutTaken: true }),
      focus: () => store.dispatch(attentionGained()),
      blur: () => store.dispatch(attentionLost()),
      receive: (name: string) => apply(FRAMES[name] ?? {}),
      wait: (ms: string) => clock.advance(Number(ms)),
      press: () => shortcuts.get('CommandOrControl+Return')?.(),
      toggle: inWindow(audio.toggleRecording),
      fail: inWindow((window, number) => audio.recordingFailed(window, Number(number))),
      play: inWindow((window, name) => audio.play(window, PLACES[name] ?? { message: 0, item: 0 })),
      stop: audio.stopPlayback,
      write: inWindow((window, number) => audio.audioWritten(window, Number(number))),
      refuse: inWindow((window, number) => audio.playbackFailed(window, Number(number))),
      reload: inWindow((window = first) => audio.loaded(window)),
      close: () => gone[0].forEach((task) => task()),
    },
    state() {
      const due = (clock.nextDue() ?? Number.NaN) - clock.now();
      const watched = gone.map(({ size }) => size);
      return [JSON.stringify({ ...store.getState().audio, shortcuts: [...shortcuts.keys()], watched, due })];
    },
  };
}

const RECORDING = {
  'Is on during each session with the setting, from and to its change; takes no shortcut, records and plays nothing while it is off':
    'set on; launch; end; launch; set on; set off; receive message; toggle; play a; press; set on',
  'Has the shortcut while a window has the focus or a recording runs': 'launch; press; blur; press; focus',
  'Shows a notice once in a session when another program has the shortcut, and records in the window of the button':
    'take; launch; toggle in 2; toggle; blur; focus; end; launch',
  'Records with the shortcut in the first window, which sends it at the next press': 'launch; press; press',
  'Stops each recording after exactly 15 s':
    'launch; press; wait 14999; wait 1; press; wait 10000; press; press; wait 14999; wait 1',
  'Sends nothing when the window cannot record, is closed or reloads, or the person signs out':
    'launch; press; fail 7; fail 1 in 2; fail 1; press; close; press; reload in 2; reload; press; end',
};

test('spec §3.3 start-up, §3.3 row 1, §3.3 row 2, §3.1 row 5, §6.3 record, §8 recording length, contract §2 PARLEY_AUDIO, contract §4 record: records in one window, notifies all of it, and sends only what was stopped', async () => {
  await expect(await tellStories(RECORDING, beginAudio)).toMatchFileSnapshot('testing/recording.txt');
});

const PLAYBACK = {
  'Plays a sound in the requesting window only, cancels the one before, and notifies the windows of both ids in order':
    'launch; receive snapshot; play a; play text; play b in 2',
  'Ends the playback 500 ms after the last audio write, and starts it again at a late write, but not after a stop, which silences the window': `launch; receive snapshot; play a; wait 5000; ${'write 1; wait 499; '.repeat(3)}wait 1; write 1; stop; write 1`,
  'Ends the playback when the playing window closes, reloads or cannot play it, at a snapshot, and at the end of the session':
    'launch; receive snapshot; play a; play b; refuse 1; refuse 2 in 2; close; play b; reload in 2; reload; play b; refuse 4; play b; receive snapshot; play b; end',
  'Plays a sound that arrives in a message or as an item in the first window, but neither the person’s own recording nor the sounds of a snapshot':
    'launch; receive snapshot; receive own; receive message; receive text; receive item',
};

test('spec §3.3 row 3, §3.3 row 4, §6.3 playback, §8 playback end, contract §4 record: plays one sound in one window, and notifies all of it', async () => {
  await expect(await tellStories(PLAYBACK, beginAudio)).toMatchFileSnapshot('testing/playback.txt');
});
