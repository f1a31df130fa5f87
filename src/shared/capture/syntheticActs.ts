import type { Action } from '@reduxjs/toolkit';
import { type AudioState } from '../store/audio.ts';
import {
  attentionGained,
  audioStarted,
  playbackStarted,
  preferencesLoaded,
  recordingStarted,
  windowFocused,
  windowMinimized,
  windowOpened,
  windowShown,
} from '../actions/mainActions.ts';
import { type PreferencesState, defaultPreferences } from '../store/preferences.ts';
import { backlogReported } from '../actions/sessionActions.ts';
import { stateReported } from '../actions/windowActions.ts';
import { type KnownWindow, ofWindow, windowOf } from '../window/windows.ts';
import { type ActsState, initialActs } from './actsState.ts';
import type { ActionRecord } from './format.ts';
import type { Preferences } from '../ipc/preferencesSchema.ts';

/**
 * Returns the records, marked as synthetic, that rebuild audio, preferences, backlog, windows and attention at a time; the unread messages
 * are not rebuilt. The connection has records of its own.
 * @param t the time of the records.
 */
export function syntheticActs(acts: Omit<ActsState, 'connection'>, t: number): ActionRecord[] {
  const { attention, audio, backlog, preferences, windows } = acts;
  const actions: Action[] = [
    ...(preferences === initialActs.preferences ? [] : [preferencesOf(preferences)]),
    ...audioOf(audio),
    ...(backlog.updates === 0 ? [] : [backlogReported(backlog)]),
    ...Object.entries(windows).flatMap(([number, window]) => windowActions(Number(number), window)),
    ...(attention.isWatched ? [attentionGained()] : []),
  ];
  return actions.map((action) => Object.assign(actionRecord(action, t), { synthetic: true as const }));
}

/** Returns the record of an action: without its `meta`, but with the window that dispatched it. */
export function actionRecord(action: Action, t: number): ActionRecord {
  const { type, payload } = { payload: undefined, ...action };
  const window = windowOf(action);
  return {
    t,
    type: 'action',
    action: { type, ...(payload !== undefined && { payload }) },
    ...(window !== undefined && { window }),
  };
}

function preferencesOf({ fromEnvironment, ...values }: PreferencesState): Action {
  const isFromEnvironment = (name: string) => fromEnvironment.some((one) => one === name);
  const pick = (isWanted: (name: string) => boolean): Partial<Preferences> =>
    Object.fromEntries(
      Object.keys(defaultPreferences)
        .filter(isWanted)
        .map((name) => [name, Object.entries(values).find(([key]) => key === name)?.[1]]),
    );
  const stored = pick((name) => !isFromEnvironment(name));
  return preferencesLoaded({ stored, environment: pick(isFromEnvironment) });
}

const audioOf = ({ isOn, isRecording, playing }: AudioState): Action[] => [
  ...(isOn ? [audioStarted()] : []),
  ...(isRecording ? [recordingStarted()] : []),
  ...(playing === null ? [] : [playbackStarted(playing)]),
];

const windowActions = (number: number, { own, isVisible, isFocused, isMinimized }: KnownWindow): Action[] => [
  windowOpened(number),
  ofWindow(stateReported({ state: own }), number),
  ...(isVisible ? [windowShown(number)] : []),
  ...(isFocused ? [windowFocused(number)] : []),
  ...(isMinimized ? [windowMinimized(number)] : []),
];
