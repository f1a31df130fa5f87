import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { z } from 'zod';

/** What a person has set in the app, of their own accord. */
export interface Preferences {
  /** The audio module starts with a session; the specification leaves it off (spec §3.3). */
  readonly audio: boolean;
  /** Light, dark, or as the system has it. */
  readonly theme: (typeof THEMES)[number];
  /** Maximum age of a recording, in days since its last record; `null`: no limit. */
  readonly captureDays: number | null;
  /** Maximum total size of all recordings, in megabytes (1,000,000 bytes); the oldest are deleted first. `null`: no limit. */
  readonly captureMegabytes: number | null;
}

export const THEMES = ['system', 'light', 'dark'] as const;

export const defaultPreferences: Preferences = {
  audio: false,
  theme: 'system',
  captureDays: 30,
  captureMegabytes: 1000,
};

/** Some preferences, each of its type: a change of them, or what a file holds. Others than these are no preferences. */
export const preferencesSchema = z.strictObject({
  audio: z.boolean().exactOptional(),
  theme: z.enum(THEMES).exactOptional(),
  captureDays: z.int().positive().nullable().exactOptional(),
  captureMegabytes: z.int().positive().nullable().exactOptional(),
});

/** The preferences as they are in force, and which of them the environment has set: those cannot be changed in the app. */
export interface PreferencesState extends Preferences {
  readonly fromEnvironment: readonly (keyof Preferences)[];
}

const initialState: PreferencesState = { ...defaultPreferences, fromEnvironment: [] };

/** What a start finds. */
interface Found {
  readonly kept: Partial<Preferences>;
  /** What the environment sets: it wins (contract §2). */
  readonly environment: Partial<Preferences>;
}

const isPreference = (name: string): name is keyof Preferences => name in defaultPreferences;

const slice = createSlice({
  name: 'preferences',
  initialState,
  reducers: {
    /** The program has started, with what was kept and what the environment says. */
    found: (_, { payload: { kept, environment } }: PayloadAction<Found>): PreferencesState => ({
      ...defaultPreferences,
      ...kept,
      ...environment,
      fromEnvironment: Object.keys(environment).filter(isPreference),
    }),
    /** Somebody has changed some; what the environment has set stays. */
    changed: (state, { payload }: PayloadAction<Partial<Preferences>>): PreferencesState => ({
      ...state,
      ...payload,
      ...Object.fromEntries(state.fromEnvironment.map((name) => [name, state[name]])),
    }),
  },
});

export const { found: preferencesFound, changed: preferencesChanged } = slice.actions;

export const preferencesReducer = slice.reducer;
