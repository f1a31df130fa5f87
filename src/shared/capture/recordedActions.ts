import { type UnknownAction, combineReducers, type Action } from '@reduxjs/toolkit';
import { z } from 'zod';
import { ACTIONS, isWindowStateAction } from '../actions/actionTable.ts';
import {
  messageDropped,
  messageSent,
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
import { backlogReported } from '../actions/sessionActions.ts';
import { stateReported } from '../actions/windowActions.ts';
import type { Preferences } from '../ipc/preferencesSchema.ts';
import { NO_ACTION } from '../isOfType.ts';
import { isJsonObject } from '../json.ts';
import {
  NO_WINDOW,
  ofWindow,
  attentionReducer,
  windowsReducer,
  type KnownWindow,
  windowOf,
} from '../store/openWindows.ts';
import {
  audioReducer,
  backlogReducer,
  connectionReducer,
  wasConnectedReducer,
  preferencesReducer,
  type AudioState,
  type PreferencesState,
  defaultPreferences,
} from '../store/sharedSlices.ts';
import type { ActionRecord } from './captureFormat.ts';

/**
 * Returns the action of a record as the store reduces it; `undefined` when it is not in the table of recorded actions, when its payload does not
 * fit its type, or when a frame says the same. The payload of an action on which no slice depends is not checked.
 */
export function recordedAction({ action, window = NO_WINDOW }: ActionRecord): UnknownAction | undefined {
  const { type } = action;
  const entry = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
  // A sent message follows from its frame.
  if (entry === undefined || entry.recorded === null || type === messageSent.type) return undefined;
  const payload = withLaterSlices(action);
  const isOwn = isWindowStateAction(action);
  // The counts do not depend on the payload of a dropped message, which a capture may lack.
  const hasPayload = !(entry.payload instanceof z.ZodUndefined) && type !== messageDropped.type;
  const isReduced = isOwn || (entry.changes.length > 0 && hasPayload);
  if (isReduced && !entry.payload.safeParse(payload).success) return undefined;
  return isOwn ? ofWindow({ type, payload }, window) : { type, payload };
}

/** The slices that a window's state got after the first captures of it, with their initial values. */
const LATER_SLICES = {
  find: null,
  place: { leftAt: null, divider: null },
  viewer: null,
  page: null,
  scrolledTo: null,
  expanded: [],
  viewerZoom: { factor: 1, x: 0, y: 0 },
  messageMenu: null,
  assistant: null,
};

interface RecordedPayload {
  readonly type: string;
  readonly payload?: unknown;
}

/** Returns the payload of an action. A state that lacks later slices, because its capture is older, gets them. */
export function withLaterSlices({ type, payload }: RecordedPayload): unknown {
  if (type !== stateReported.type || !isJsonObject(payload)) return payload;
  return { ...payload, state: { ...LATER_SLICES, ...Object(payload.state) } };
}

/** Reduces the slices that follow from actions; of `attention`, only frames change the number of unread messages. The fold and the recorder's ring use it; the store has the same reducers. */
export const reduceActs = combineReducers({
  connection: connectionReducer,
  wasConnected: wasConnectedReducer,
  backlog: backlogReducer,
  audio: audioReducer,
  preferences: preferencesReducer,
  attention: attentionReducer,
  windows: windowsReducer,
});

/** The slices that follow from actions. */
export type ActsState = ReturnType<typeof reduceActs>;

/** The slices before the first action. */
export const initialActs: ActsState = reduceActs(undefined, NO_ACTION);

/** Returns the slices that follow from actions, of a larger state. */
export const actsPart = ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
}: ActsState): ActsState => ({
  connection,
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
});

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
