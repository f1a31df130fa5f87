import { isAnyOf } from '@reduxjs/toolkit';
import type { GlobalShortcut } from 'electron';
import { audioStarted, audioStopped, noticeRaised } from '#shared/actions/mainActions.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { recordingToggleRequested } from '#shared/actions/userActions.ts';
import type { Clock } from '#shared/clock.ts';
import { findNewSound, type ItemPlace } from '#shared/conversation/blobReference.ts';
import type { Received } from '#shared/ipc/channels.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';
import type { AudioWindow } from '../window/messengerWindows.ts';
import { createPlayback } from './playback.ts';
import { createRecording } from './recording.ts';

const SHORTCUT_TAKEN =
  'Another program has the shortcut Ctrl+Enter (⌘+Enter). Record with the microphone button instead.';
const RECORDING_LOST = 'The recording was dropped: its window was closed or reloaded. Nothing was sent.';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly clock: Clock;
  /** Whether the module starts with a session: PARLEY_AUDIO, or the setting in the app. */
  readonly isAudioOn: () => boolean;
  readonly shortcuts: Pick<GlobalShortcut, 'register' | 'unregister'>;
  /** Returns all windows, the focused one first. */
  readonly windows: () => readonly AudioWindow[];
  /** Sends a message to every window, on a channel of spec §6.3. */
  readonly sendToWindows: <C extends 'record' | 'playback'>(channel: C, ...args: Received[C]) => void;
}

/** The effects of user actions in the audio module. They are ignored while the module is off. */
export type Audio = ReturnType<typeof setUpAudio>;

/**
 * Sets up the audio module (spec §3.3). It is off when the program starts and while no account is signed in:
 *
 *     off ── a session is launched, and voice is set on; or it is set on within a session ──▶ on
 *      ▲                                                                                       │
 *      └── the session ends, or voice is set off: a recording is discarded, a playback cancelled
 */
export function setUpAudio(options: Options) {
  const { store, clock } = options;
  const notify = (text: string) => void store.dispatch(noticeRaised({ text, until: 'shown' }));
  followShortcut(options, () => notify(SHORTCUT_TAKEN));

  const recording = createRecording({ store, clock, onLost: () => notify(RECORDING_LOST) });
  const playback = createPlayback({ store, clock });

  const turnOn = () => void store.dispatch(audioStarted());
  const turnOff = () => {
    recording.cancel();
    playback.cancel();
    store.dispatch(audioStopped());
  };
  const isOn = switchModule(options, turnOn, turnOff);
  playNewSounds(options, playback);
  sendChanges(options);

  return {
    toggleRecording(window: AudioWindow | undefined): void {
      if (isOn()) recording.toggle(window);
    },
    recordingFailed: recording.failed,
    play(window: AudioWindow | undefined, place: ItemPlace): void {
      if (isOn()) playback.play(place, window);
    },
    stopPlayback: playback.cancel,
    audioWritten: playback.written,
    playbackFailed: playback.failed,
    /** The window's page has loaded or reloaded. */
    loaded(window: AudioWindow): void {
      playback.loaded(window);
      if (recording.loaded(window)) window.send('voiceNote', RECORDING_LOST);
    },
  };
}

/** Turns the module on and off when the session or the setting changes. Returns a function that returns whether it is on. */
function switchModule(
  { listeners, isAudioOn }: Options,
  turnOn: () => void,
  turnOff: () => void,
): () => boolean {
  let isSessionOn = false;
  let isOn = false;
  const isWanted = () => isSessionOn && isAudioOn();
  const follow = () => {
    if (isWanted() === isOn) return;
    isOn = !isOn;
    if (isOn) turnOn();
    else turnOff();
  };
  listeners.startListening({
    matcher: isAnyOf(sessionLaunched, sessionEnded),
    effect(action) {
      isSessionOn = sessionLaunched.match(action);
      follow();
    },
  });
  listeners.startListening({
    predicate: () => isWanted() !== isOn,
    effect: follow,
  });
  return () => isOn;
}

/** Plays each sound when it arrives. A snapshot cancels the playback, because its messages have new positions. */
function playNewSounds(
  { listeners, windows }: Options,
  { play, cancel }: ReturnType<typeof createPlayback>,
): void {
  listeners.startListening({
    matcher: updateApplied.match,
    effect({ payload: { update } }, { getState }) {
      const { audio, conversation } = getState();
      if (update.kind === 'snapshot') cancel();
      const place = audio.isOn ? findNewSound(conversation, update) : undefined;
      if (place !== undefined) play(place, windows()[0]);
    },
  });
}

/** Sends `record` and `playback` on a change only: a stop, then a start (contract §4). */
function sendChanges({ listeners, sendToWindows }: Options): void {
  listeners.startListening({
    predicate: (_, now, before) => now.audio.isRecording !== before.audio.isRecording,
    effect: (_, { getState }) => sendToWindows('record', getState().audio.isRecording),
  });
  listeners.startListening({
    predicate: (_, now, before) => now.audio.playing !== before.audio.playing,
    effect(_, { getState, getOriginalState }) {
      const before = getOriginalState().audio.playing;
      const now = getState().audio.playing;
      if (before !== null) sendToWindows('playback', before.id, false);
      if (now !== null) sendToWindows('playback', now.id, true);
    },
  });
}

/** Starts and stops a recording (spec §3.3). */
const RECORD_SHORTCUT = 'CommandOrControl+Return';

/**
 * Registers the shortcut with the system while the audio module is on, and a window has the focus or a recording runs, so that it stops a recording from
 * every program. At other times the keys belong to the program that has the focus.
 * @param onTaken is called when another program has the shortcut, once while the module is on.
 */
export function followShortcut({ store, listeners, shortcuts }: Options, onTaken: () => void): void {
  let isRegistered = false;
  let isTaken = false;
  const register = () => {
    isRegistered = shortcuts.register(RECORD_SHORTCUT, () => void store.dispatch(recordingToggleRequested()));
    if (!isRegistered && !isTaken) onTaken();
    isTaken = !isRegistered;
  };
  listeners.startListening({
    predicate: (_, now, before) => isWanted(now) !== isWanted(before) || now.audio.isOn !== before.audio.isOn,
    effect(_, { getState }) {
      const state = getState();
      if (!state.audio.isOn) isTaken = false;
      if (isWanted(state) === isRegistered) return;
      if (!isRegistered) return register();
      shortcuts.unregister(RECORD_SHORTCUT);
      isRegistered = false;
    },
  });
}

const isWanted = ({ audio, attention }: ReturnType<MainStore['getState']>): boolean =>
  audio.isOn && (attention.isWatched || audio.isRecording);
