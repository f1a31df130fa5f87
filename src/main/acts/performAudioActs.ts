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
  /** Returns the window that is the source of an act, else the focused one. */
  readonly windowFor: (act: Action) => AudioWindow | undefined;
}

/** Records and plays when it is requested (spec §3.3). The audio module dispatches the facts. */
export function performAudioActs({ listeners: { startListening }, audio, windowFor }: Options): void {
  startListening({
    actionCreator: recordingToggleRequested,
    effect: (act) => audio.toggleRecording(windowFor(act)),
  });
  startListening({
    actionCreator: playbackRequested,
    effect: (act) => audio.play(windowFor(act), act.payload),
  });
  startListening({ actionCreator: playbackStopRequested, effect: () => audio.stopPlayback() });
  startListening({
    actionCreator: recordingFailed,
    effect: (act) => audio.recordingFailed(windowFor(act), act.payload.number),
  });
  startListening({
    actionCreator: audioWritten,
    effect: (act) => audio.audioWritten(windowFor(act), act.payload.number),
  });
  startListening({
    actionCreator: playbackFailed,
    effect: (act) => audio.playbackFailed(windowFor(act), act.payload.number),
  });
}
