import { type PayloadAction, createSlice } from '@reduxjs/toolkit';

/** What a person can set in the app. */
export interface Preferences {
  /** Whether the audio module starts with a session. The default is off (spec §3.3). */
  readonly audio: boolean;
  /** The colour theme; `system` follows the operating system. */
  readonly theme: (typeof THEMES)[number];
  /** Whether all dropped or pasted files are sent. The default is the first one only (spec §4.4.2). */
  readonly sendAllFiles: boolean;
  /** Whether an update keeps the position of a person who has scrolled up. The default is off: each update scrolls to the bottom (spec §4.4). */
  readonly stayWhereIRead: boolean;
  /** Maximum age of a recording, in days since its last record; `null`: no limit. */
  readonly captureDays: number | null;
  /** Maximum total size of all recordings, in megabytes (1,000,000 bytes); the oldest are deleted first. `null`: no limit. */
  readonly captureMegabytes: number | null;
}

/** The appearances from which a person chooses; `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;

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

/** The preferences at the program's start. */
interface Loaded {
  /** The stored preferences. */
  readonly stored: Partial<Preferences>;
  /** The preferences that the environment sets; they override stored ones (contract §2). */
  readonly environment: Partial<Preferences>;
}

const slice = createSlice({
  name: 'preferences',
  initialState,
  reducers: {
    /** The program has started and read the stored preferences and the environment. */
    loaded: (_, { payload: { stored, environment } }: PayloadAction<Loaded>): PreferencesState => ({
      ...defaultPreferences,
      ...stored,
      ...environment,
      // The names of fields are those of preferences: the settings and the records of captures are checked.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      fromEnvironment: Object.keys(environment) as (keyof Preferences)[],
    }),
    /** A person has changed preferences. Those that the environment sets stay. */
    changed: (state, { payload }: PayloadAction<Partial<Preferences>>): PreferencesState => ({
      ...state,
      ...payload,
      ...Object.fromEntries(state.fromEnvironment.map((name) => [name, state[name]])),
    }),
  },
});

export const { loaded: preferencesLoaded, changed: preferencesChanged } = slice.actions;

/** Reduces the preferences. */
export const preferencesReducer = slice.reducer;
