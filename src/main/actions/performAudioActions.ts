import type { Action } from '@reduxjs/toolkit';
import {
  audioWritten,
  playbackFailed,
  playbackRequested,
  playbackStopRequested,
  recordingFailed,
  recordingToggleRequested,
} from '#shared/actions/userActions.ts';
import type { AudioWindow } from '../audio/audioWindow.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import type { Listeners } from '../store/listeners.ts';

interface Options {
  readonly listeners: Listeners;
  readonly audio: Omit<Audio, 'loaded'>;
  /** Returns the window that is the source of a user action, else the focused one. */
  readonly windowFor: (action: Action) => AudioWindow | undefined;
}

/** Records and plays when it is requested (spec §3.3). The audio module dispatches main's actions. */
export function performAudioActions({ listeners: { startListening }, audio, windowFor }: Options): void {
  startListening({
    actionCreator: recordingToggleRequested,
    effect: (action) => audio.toggleRecording(windowFor(action)),
  });
  startListening({
    actionCreator: playbackRequested,
    effect: (action) => audio.play(windowFor(action), action.payload),
  });
  startListening({ actionCreator: playbackStopRequested, effect: () => audio.stopPlayback() });
  startListening({
    actionCreator: recordingFailed,
    effect: (action) => audio.recordingFailed(windowFor(action), action.payload.number),
  });
  startListening({
    actionCreator: audioWritten,
    effect: (action) => audio.audioWritten(windowFor(action), action.payload.number),
  });
  startListening({
    actionCreator: playbackFailed,
    effect: (action) => audio.playbackFailed(windowFor(action), action.payload.number),
  });
}
