import type { Action } from '@reduxjs/toolkit';
import { app } from 'electron';
import type { Clock } from '#shared/clock.ts';
import { audioWindow, audioWindows } from '../audio/audioWindow.ts';
import type { Assistant } from '../assistant/createAssistant.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import { performAccountActions } from './performAccountActions.ts';
import { performAssistantActions } from './performAssistantActions.ts';
import { performAudioActions } from './performAudioActions.ts';
import { performDeletionActions } from './performDeletionActions.ts';
import { performDialogActions } from './performDialogActions.ts';
import { performMessageActions } from './performMessageActions.ts';
import { performSaveActions } from './performSaveActions.ts';
import { performWindowActions } from './performWindowActions.ts';
import { sourceWindow } from './sourceWindow.ts';

type Options = Parameters<typeof performDialogActions>[0] &
  Parameters<typeof performDeletionActions>[0] & {
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
 * Starts the listeners that perform the user actions. An entry point (a channel, a menu, the tray, a shortcut) only dispatches the user action; the listener
 * performs its effect and dispatches the result as main's action. `persistPreferences` performs `preferences/changed`.
 */
export function performUserActions(options: Options): void {
  performAccountActions(options);
  performMessageActions(options);
  performAudioActions({ ...options, windowFor: audioWindowFor });
  performWindowActions({ ...options, quit: () => app.quit() });
  performSaveActions(options);
  performDialogActions(options);
  performAssistantActions(options);
  performDeletionActions(options);
}

function audioWindowFor(action: Action) {
  const source = sourceWindow(action);
  return source === undefined ? audioWindows()[0] : audioWindow(source.webContents);
}
