import type { Action } from '@reduxjs/toolkit';
import { app } from 'electron';
import type { Clock } from '#shared/time/clock.ts';
import { audioWindow, audioWindows } from '../audio/audioWindow.ts';
import type { Assistant } from '../assistant/createAssistant.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import { performAccountActs } from './performAccountActs.ts';
import { performAssistantActs } from './performAssistantActs.ts';
import { performAudioActs } from './performAudioActs.ts';
import { performDeletionActs } from './performDeletionActs.ts';
import { performDialogActs } from './performDialogActs.ts';
import { performMessageActs } from './performMessageActs.ts';
import { performSaveActs } from './performSaveActs.ts';
import { performWindowActs } from './performWindowActs.ts';
import { sourceWindow } from './sourceWindow.ts';

type Options = Parameters<typeof performDialogActs>[0] &
  Parameters<typeof performDeletionActs>[0] & {
    /** `undefined` while another platform is in use. */
    readonly assistant: Assistant | undefined;
    readonly messenger: Messenger;
    readonly recorder: Pick<Recorder, 'save'>;
    readonly audio: Audio;
    readonly clock: Clock;
    /** Opens the inspector, or brings it to the front. */
    readonly inspect: () => void;
  };

/**
 * Starts the listeners that perform the acts. An entry point (a channel, a menu, the tray, a shortcut) only dispatches the act; the listener
 * performs its effect and dispatches the result as a fact. `persistPreferences` performs `preferences/changed`.
 */
export function performActs(options: Options): void {
  performAccountActs(options);
  performMessageActs(options);
  performAudioActs({ ...options, windowFor: audioWindowFor });
  performWindowActs({ ...options, quit: () => app.quit() });
  performSaveActs(options);
  performDialogActs(options);
  performAssistantActs(options);
  performDeletionActs(options);
}

function audioWindowFor(act: Action) {
  const source = sourceWindow(act);
  return source === undefined ? audioWindows()[0] : audioWindow(source.webContents);
}
