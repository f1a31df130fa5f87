import { createReducer } from '@reduxjs/toolkit';
import {
  type Playback,
  audioStarted,
  audioStopped,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
  recordingCancelled,
  recordingStarted,
  recordingStopped,
} from '../actions/mainActions.ts';

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

/** Reduces the audio. */
export const audioReducer = createReducer(off, (builder) =>
  builder
    .addCase(audioStarted, (): AudioState => ({ ...off, isOn: true }))
    .addCase(audioStopped, () => off)
    .addCase(recordingStarted, (audio) => {
      if (audio.isOn) audio.isRecording = true;
    })
    .addCase(recordingStopped, (audio) => {
      audio.isRecording = false;
    })
    .addCase(recordingCancelled, (audio) => {
      audio.isRecording = false;
    })
    .addCase(playbackStarted, (audio, { payload }) => {
      if (audio.isOn) audio.playing = payload;
    })
    .addCase(playbackEnded, (audio) => {
      audio.playing = null;
    })
    .addCase(playbackCancelled, (audio) => {
      audio.playing = null;
    }),
);
