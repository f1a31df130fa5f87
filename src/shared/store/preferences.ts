import { createReducer } from '@reduxjs/toolkit';
import { preferencesLoaded } from '../actions/mainActions.ts';
import { preferencesChanged } from '../actions/userActions.ts';
import type { Preferences } from '../ipc/preferencesSchema.ts';

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
