import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ItemPlace } from '../conversation/sounds.ts';

/** A sound that is being played. */
export interface Playback extends ItemPlace {
  /** Its message's id, as the `playback` channel says it. */
  readonly id: string;
}

/**
 * The audio module (spec §3.3). While it is off neither machine moves; while it is on they stand side by side:
 *
 *     not recording ── recordingStarted ──▶ recording
 *           ▲                                  │ recordingStopped: what was captured is sent
 *           └──────────────────────────────────┘ recordingCancelled: it is not
 *
 *     idle ── playbackStarted ──▶ playing
 *      ▲                             │ playbackEnded: 500 ms after the last audio write
 *      └─────────────────────────────┘ playbackCancelled: by another, by the person, or with the module
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

export const audioReducer = slice.reducer;
