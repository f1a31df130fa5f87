import {
  type Playback,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
} from '#shared/actions/mainActions.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { type ItemPlace, soundAt } from '#shared/conversation/blobReference.ts';
import { PLAYBACK_IDLE_MS } from '#shared/limits.ts';
import type { MainStore } from '../store/mainStore.ts';
import type { AudioWindow } from '../window/messengerWindows.ts';

interface Options {
  readonly store: Pick<MainStore, 'dispatch' | 'getState'>;
  readonly clock: Clock;
}

interface Current {
  readonly number: number;
  readonly playing: Playback;
  readonly window: AudioWindow;
  readonly cancelGone: Cancel;
}

/**
 * Creates main's part of playback (spec §3.3 rows 3 and 4): it decides which sound plays; exactly one window plays it.
 *
 *     idle ── play ──▶ playing ── 500 ms after the last audio write, or cancelled ──▶ idle
 *                      └─ play: the current one is cancelled first ─▶ playing
 *
 * A later write (of a window that was delayed) continues its playback, unless it was cancelled.
 */
export function createPlayback({ store, clock }: Options) {
  let current: Current | undefined;
  let lastNumber = 0;
  let cancelIdle: Cancel | undefined;

  const isPlaying = () => store.getState().audio.playing !== null;
  const cancel = () => {
    if (current === undefined) return;
    const { number, window, cancelGone } = current;
    current = undefined;
    cancelIdle?.();
    cancelGone();
    if (isPlaying()) store.dispatch(playbackCancelled());
    window.send('sound', number, null);
  };
  const isCurrent = (window: AudioWindow | undefined, number: number) =>
    current?.number === number && current.window.id === window?.id;

  return {
    /** Stops the playback. */
    cancel,
    /** Plays the sound at a place in this window and cancels the current one. Does nothing when there is no sound. */
    play(place: ItemPlace, window: AudioWindow | undefined): void {
      const sound = soundAt(store.getState().conversation, place);
      if (sound === undefined || window === undefined) return;
      cancel();
      lastNumber += 1;
      const playing = { id: sound.id, message: place.message, item: place.item };
      current = { number: lastNumber, playing, window, cancelGone: window.onGone(cancel) };
      store.dispatch(playbackStarted(playing));
      window.send('sound', lastNumber, place);
    },
    /** The window has just played audio of that playback. */
    written(window: AudioWindow | undefined, number: number): void {
      if (current === undefined || !isCurrent(window, number)) return;
      if (!isPlaying()) store.dispatch(playbackStarted(current.playing));
      cancelIdle?.();
      cancelIdle = clock.after(PLAYBACK_IDLE_MS, () => void store.dispatch(playbackEnded()));
    },
    /** The window cannot play the sound. */
    failed(window: AudioWindow | undefined, number: number): void {
      if (isCurrent(window, number)) cancel();
    },
    /** The window's page has reloaded and plays nothing. */
    loaded(window: AudioWindow): void {
      if (current?.window.id === window.id) cancel();
    },
  };
}
