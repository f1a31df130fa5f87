import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import { preferencesLoaded } from '#shared/actions/mainActions.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import type { Clock } from '#shared/clock.ts';
import { type Preferences, preferencesSchema } from '#shared/ipc/preferencesSchema.ts';
import { PREFERENCES_WRITE_MS } from '#shared/limits.ts';
import type { Settings } from '#shared/settings.ts';
import { jsonFile } from '../base/jsonFile.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly dataDir: string;
  readonly settings: Pick<Settings, 'audio'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Logger;
}

/** The stored preferences. */
export type PersistedPreferences = ReturnType<typeof persistPreferences>;

/**
 * Loads the preferences into the store and stores every change of the person. Values from the environment apply and are
 * never stored: without them, the next start uses the chosen values. The file is written once per second at most, because each write waits for
 * the disk and blocks main: a crash loses at most a second.
 */
export function persistPreferences({ store, listeners, dataDir, settings, clock, log }: Options) {
  // Fields of a newer version are not loaded, and stay in the file.
  const file = jsonFile({ path: join(dataDir, 'preferences.json'), schema: preferencesSchema.strip(), log });
  let kept: Partial<Preferences> = {};
  const begin = (found: Partial<Preferences>) => {
    kept = found;
    store.dispatch(preferencesLoaded({ stored: kept, environment: environmentOf(settings) }));
  };
  const writer = createWriter(() => file.write(kept), clock);
  begin(file.read() ?? {});
  listeners.startListening({
    matcher: preferencesChanged.match,
    effect({ payload }, { getState }) {
      kept = { ...kept, ...withoutFixed(payload, getState().preferences.fromEnvironment) };
      writer.changed();
    },
  });
  return {
    /** Sets every preference to its default, as at a start without a file. Does not delete the file. */
    forget(): void {
      writer.drop();
      begin({});
    },
    /** Writes the changes that wait: the program ends. */
    flush: writer.flush,
  };
}

/**
 * Creates a writer that writes a change at once, and further ones once per `PREFERENCES_WRITE_MS`.
 *
 *     idle ── change: written ──▶ paused ── change ──▶ paused with a change
 *      ▲                          │  ▲                   │          │
 *      └──────── 1 s later ───────┘  └── flush: written, ┘          │
 *                                 ▲      or dropped                 │
 *                                 └────── 1 s later: written ───────┘
 */
function createWriter(write: () => void, clock: Pick<Clock, 'after'>) {
  let isPaused = false;
  let isChanged = false;
  const flush = () => {
    if (!isChanged) return;
    isChanged = false;
    write();
  };
  const writeOrPause = () => {
    isPaused = isChanged;
    if (isChanged) clock.after(PREFERENCES_WRITE_MS, writeOrPause);
    flush();
  };
  return {
    changed() {
      isChanged = true;
      if (!isPaused) writeOrPause();
    },
    flush,
    drop() {
      isChanged = false;
    },
  };
}

/** Returns the preferences that the environment sets: `PARLEY_AUDIO` (contract §2). */
const environmentOf = ({ audio }: Pick<Settings, 'audio'>): Partial<Preferences> =>
  audio === null ? {} : { audio };

const withoutFixed = (
  change: Partial<Preferences>,
  fixed: readonly (keyof Preferences)[],
): Partial<Preferences> =>
  Object.fromEntries(Object.entries(change).filter(([name]) => fixed.every((one) => one !== name)));
