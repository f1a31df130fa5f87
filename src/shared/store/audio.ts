import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ItemPlace } from '../conversation/sounds.ts';

/** The current playback: the place of its sound. */
export interface Playback extends ItemPlace {
  /** The message's id, which is sent on the `playback` channel. */
  readonly id: string;
}

/**
 * The state of the audio module (spec §3.3). While the module is on, recording and playback are independent of each other; while it is
 * off, neither changes:
 *
 *     not recording ── recordingStarted ──▶ recording
 *           ▲                                  │ recordingStopped: the recording is sent
 *           └──────────────────────────────────┘ recordingCancelled: it is dropped
 *
 *     idle ── playbackStarted ──▶ playing
 *      ▲                             │ playbackEnded: 500 ms after the last audio write
 *      └─────────────────────────────┘ playbackCancelled: by another playback, by the person, or because the module is turned off
 */
export interface AudioState {
  readonly isOn: boolean;
  readonly isRecording: boolean;
  readonly playing: Playback | null;
}

const off: AudioState = { isOn: false, isRecording: false, playing: null };

const slice = createSlice({
  name: 'audio',
  initialState: off,
  reducers: {
    started: (): AudioState => ({ ...off, isOn: true }),
    stopped: () => off,
    recordingStarted: (audio) => {
      if (audio.isOn) audio.isRecording = true;
    },
    recordingStopped: (audio) => {
      audio.isRecording = false;
    },
    recordingCancelled: (audio) => {
      audio.isRecording = false;
    },
    playbackStarted: (audio, { payload }: PayloadAction<Playback>) => {
      if (audio.isOn) audio.playing = payload;
    },
    playbackEnded: (audio) => {
      audio.playing = null;
    },
    playbackCancelled: (audio) => {
      audio.playing = null;
    },
  },
});

export const {
  started: audioStarted,
  stopped: audioStopped,
  recordingStarted,
  recordingStopped,
  recordingCancelled,
  playbackStarted,
  playbackEnded,
  playbackCancelled,
} = slice.actions;

/** Reduces the audio. */
export const audioReducer = slice.reducer;
