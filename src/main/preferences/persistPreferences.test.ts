import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultPreferences, preferencesChanged } from '#shared/store/preferences.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { type MainLog, mainLog } from '#tests/builders/mainLog.ts';
import { mainStore } from '#tests/builders/mainStore.ts';

interface Options {
  /** The value of PARLEY_AUDIO; not set by default. */
  readonly audio?: boolean | null;
  readonly kept?: MainLog;
}

/** Starts the program with that folder. */
async function startOn(dataDir: string, { audio = null, kept = mainLog() }: Options = {}) {
  const { store, listeners } = await mainStore();
  const { persistPreferences } = await import('./persistPreferences.ts');
  const { forget } = persistPreferences({ store, listeners, dataDir, settings: { audio }, log: kept.log });
  return {
    forget,
    preferences: () => store.getState().preferences,
    change: (change: Parameters<typeof preferencesChanged>[0]) =>
      void store.dispatch(preferencesChanged(change)),
  };
}

const fileIn = (folder: string) => join(folder, 'preferences.json');
const FRESH = { ...defaultPreferences, fromEnvironment: [] };

describe('preferences', () => {
  test('resets them on request, and writes no earlier value to the next file', async () => {
    const folder = mainFolder();
    const { preferences, change, forget } = await startOn(folder);
    change({ audio: true });
    forget();
    expect(preferences()).toEqual(FRESH);
    change({ theme: 'dark' });
    expect(JSON.parse(readFileSync(fileIn(folder), 'utf8'))).toEqual({ theme: 'dark' });
  });

  test.each([null, 1, 45])('keeps a limit of recordings of %j days', async (captureDays) => {
    const folder = mainFolder();
    (await startOn(folder)).change({ captureDays });
    expect((await startOn(folder)).preferences()).toMatchObject({ captureDays, captureMegabytes: 1000 });
  });

  test('returns the defaults and writes no file without a change', async () => {
    const folder = mainFolder();
    expect((await startOn(folder)).preferences()).toEqual(FRESH);
    expect(existsSync(fileIn(folder))).toBe(false);
  });

  test('applies a change at once and after a restart, and stores it with mode 0600', async () => {
    const folder = mainFolder();
    const { preferences, change } = await startOn(folder);
    change({ audio: true });
    change({ theme: 'dark' });
    expect(preferences()).toEqual({ ...FRESH, audio: true, theme: 'dark' });
    expect((await startOn(folder)).preferences()).toEqual(preferences());
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['preferences.json']);
  });

  test.each([true, false])(
    'contract §2 PARLEY_AUDIO: keeps audio at the value %j of PARLEY_AUDIO, and uses the stored choice without it',
    async (audio) => {
      const folder = mainFolder();
      (await startOn(folder)).change({ audio: !audio });
      const { preferences, change } = await startOn(folder, { audio });
      expect(preferences()).toMatchObject({ audio, fromEnvironment: ['audio'] });
      change({ audio: !audio, theme: 'light' });
      expect(preferences()).toMatchObject({ audio, theme: 'light' });
      expect((await startOn(folder)).preferences()).toEqual({ ...FRESH, audio: !audio, theme: 'light' });
    },
  );

  test.each([
    '{',
    '[]',
    '{"audio":"yes"}',
    '{"theme":"sepia"}',
    '{"captureDays":0}',
    '{"captureMegabytes":-1}',
    '{"other":1}',
    '',
  ])('returns the defaults and keeps a copy of a corrupt file: %j', async (text) => {
    const folder = mainFolder();
    writeFileSync(fileIn(folder), text);
    const kept = mainLog();
    const { preferences, change } = await startOn(folder, { kept });
    expect(preferences()).toEqual(FRESH);
    expect(readFileSync(`${fileIn(folder)}.corrupt-1`, 'utf8')).toBe(text);
    expect(kept.lines()).toEqual([expect.objectContaining({ level: 'error' })]);
    change({ audio: true });
    expect((await startOn(folder)).preferences().audio).toBe(true);
  });

  test('applies and logs a change that cannot be stored because the folder is missing', async () => {
    const kept = mainLog();
    const { preferences, change } = await startOn(join(mainFolder(), 'gone'), { kept });
    change({ theme: 'dark' });
    expect(preferences().theme).toBe('dark');
    expect(kept.lines()).toEqual([
      expect.objectContaining({ level: 'error', code: 'ENOENT', msg: expect.stringContaining('written') }),
    ]);
  });
});
