import { join } from 'node:path';
import { preferencesSchema } from '#shared/ipc/preferencesSchema.ts';
import type { Settings } from '#shared/settings.ts';
import { type Preferences, preferencesChanged, preferencesLoaded } from '#shared/store/preferences.ts';
import { jsonFile } from '../base/jsonFile.ts';
import type { Listeners } from '../store/listeners.ts';
import type { Logger } from '#log/createLogger.ts';
import type { MainStore } from '../store/mainStore.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly dataDir: string;
  readonly settings: Pick<Settings, 'audio'>;
  readonly log: Logger;
}

/** The stored preferences. */
export interface PersistedPreferences {
  /** Sets every preference to its default, as at a start without a file. Does not delete the file. */
  forget(): void;
}

/**
 * Loads the preferences into the store and stores every change of the person. Values from the environment apply and are
 * never stored: without them, the next start uses the chosen values.
 */
export function persistPreferences({
  store,
  listeners,
  dataDir,
  settings,
  log,
}: Options): PersistedPreferences {
  const file = jsonFile({ path: join(dataDir, 'preferences.json'), schema: preferencesSchema, log });
  let kept: Partial<Preferences> = {};
  const begin = (found: Partial<Preferences>) => {
    kept = found;
    store.dispatch(preferencesLoaded({ stored: kept, environment: environmentOf(settings) }));
  };
  begin(file.read() ?? {});
  listeners.startListening({
    matcher: preferencesChanged.match,
    effect({ payload }, { getState }) {
      kept = { ...kept, ...withoutFixed(payload, getState().preferences.fromEnvironment) };
      file.write(kept);
    },
  });
  return { forget: () => begin({}) };
}

/** Returns the preferences that the environment sets: `PARLEY_AUDIO` (contract §2). */
const environmentOf = ({ audio }: Pick<Settings, 'audio'>): Partial<Preferences> =>
  audio === null ? {} : { audio };

const withoutFixed = (
  change: Partial<Preferences>,
  fixed: readonly (keyof Preferences)[],
): Partial<Preferences> =>
  Object.fromEntries(Object.entries(change).filter(([name]) => fixed.every((one) => one !== name)));
