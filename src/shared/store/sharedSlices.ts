import { type Reducer, createReducer } from '@reduxjs/toolkit';
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
  preferencesLoaded,
} from '../actions/mainActions.ts';
import {
  connectionClosed,
  connectionConfirmed,
  backlogReported,
  type TimeOfDay,
  sessionLaunched,
  timeOfDayRead,
} from '../actions/sessionActions.ts';
import { connectionRequested, preferencesChanged } from '../actions/userActions.ts';
import type { Preferences } from '../ipc/preferencesSchema.ts';
import { isOfType } from '../isOfType.ts';
import { BACKLOG_FROM } from '../limits.ts';
import { inSession, resetsSession } from './inSession.ts';

/**
 * The connection to the platform (spec §3.2):
 *
 *     disconnected ── pong ──▶ connected
 *          ▲                       │
 *          └──────── close ────────┘
 *
 * After a close with an empty reason, Parley reconnects. After a close with a reason (`closedBecause`), it waits until the person
 * requests a reconnect.
 */
export interface ConnectionState {
  readonly status: 'connected' | 'disconnected';
  /** The reason of a close after which Parley does not reconnect, else `null`. */
  readonly closedBecause: string | null;
  /** When the next attempt begins, in milliseconds since 1970. Absent until a connection was lost or could not be opened. */
  readonly retryAt?: number | undefined;
}

const disconnected: ConnectionState = { status: 'disconnected', closedBecause: null };

/** Reduces the connection. */
export const connectionReducer = createReducer(disconnected, (builder) =>
  builder
    .addCase(connectionConfirmed, (): ConnectionState => ({ status: 'connected', closedBecause: null }))
    .addCase(connectionClosed, (state, { payload: { reason, retryAt } }) => {
      state.status = 'disconnected';
      state.closedBecause = reason === '' ? null : reason;
      state.retryAt = retryAt;
    })
    .addCase(connectionRequested, (state) => {
      state.closedBecause = null;
    })
    .addMatcher(resetsSession, () => disconnected),
);

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = (state, action) =>
  (inSession(state, action) ?? false) || isOfType(action, connectionConfirmed);

/** Returns the status in the form of the `ws` channel (spec §6.3): 0 connected, 1 disconnected. */
export const statusCode = ({ status }: ConnectionState): 0 | 1 => (status === 'connected' ? 0 : 1);

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

/** The preferences of a person who has set none. */
export const defaultPreferences: Preferences = {
  audio: false,
  theme: 'system',
  sendAllFiles: false,
  stayWhereIRead: false,
  captureDays: 30,
  captureMegabytes: 1000,
};

/** The preferences in effect, and which of them the environment sets: those cannot be changed in the app. */
export interface PreferencesState extends Preferences {
  readonly fromEnvironment: readonly (keyof Preferences)[];
}

const initialState: PreferencesState = { ...defaultPreferences, fromEnvironment: [] };

/** Reduces the preferences. Those that the environment sets stay as they are. */
export const preferencesReducer = createReducer(initialState, (builder) =>
  builder
    .addCase(preferencesLoaded, (_, { payload: { stored, environment } }): PreferencesState => ({
      ...defaultPreferences,
      ...stored,
      ...environment,
      // The names of fields are those of preferences: the settings and the records of captures are checked.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      fromEnvironment: Object.keys(environment) as (keyof Preferences)[],
    }))
    .addCase(preferencesChanged, (state, { payload }): PreferencesState => ({
      ...state,
      ...payload,
      ...Object.fromEntries(state.fromEnvironment.map((name) => [name, state[name]])),
    })),
);

/** The backlog as the windows know it. Main reports it once a second while it changes. */
export interface BacklogState {
  /** The number of waiting updates; 0 while their ticks take less than 2 s. */
  readonly updates: number;
}

/** Returns the backlog that main reports while `length` updates wait. */
export const backlogOf = (length: number): BacklogState => ({ updates: length < BACKLOG_FROM ? 0 : length });

const noBacklog: BacklogState = { updates: 0 };

/** Reduces the backlog. */
export const backlogReducer = createReducer(noBacklog, (builder) =>
  builder.addCase(backlogReported, (_, { payload }) => payload).addMatcher(resetsSession, () => noBacklog),
);

/** The known times of day, in order; the first is that of the launch. */
export type TimesOfDay = readonly TimeOfDay[];

const noTimes: TimesOfDay = [];

/** Reduces the times of day. A replay does not run it: the header of a capture has the time of its start. */
export const timesOfDayReducer: Reducer<TimesOfDay> = (state, action) => {
  const times = inSession(state, action) ?? noTimes;
  if (isOfType(action, timeOfDayRead)) return [...times, action.payload];
  if (!isOfType(action, sessionLaunched)) return times;
  const { timeOfDay } = action.payload;
  return timeOfDay === undefined ? times : [{ sinceLaunch: 0, timeOfDay }];
};

/** The last time that `Date` can represent. */
const LAST_TIME = 8.64e15;

/**
 * Returns the time of day of a moment, in milliseconds since 1970 (UTC); `undefined` when none is known.
 * @param sinceLaunch milliseconds since the launch; negative before it
 */
export function timeOfDayAt(times: TimesOfDay, sinceLaunch: number): number | undefined {
  const last = times.findLast((one) => one.sinceLaunch <= sinceLaunch) ?? times[0];
  if (last === undefined) return undefined;
  const time = last.timeOfDay + sinceLaunch - last.sinceLaunch;
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
