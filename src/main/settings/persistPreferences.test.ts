import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultPreferences } from '#shared/store/sharedSlices.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';

/**
 * Starts the program with that folder.
 * @param audio the value of PARLEY_AUDIO; not set by default.
 */
async function startOn(dataDir: string, audio: boolean | null = null) {
  const { store, listeners, clock, kept } = await mainStore({ keepsModules: true });
  const { persistPreferences } = await import('./persistPreferences.ts');
  const settings = { audio };
  const persisted = persistPreferences({ store, listeners, dataDir, settings, clock, log: kept.log });
  return {
    ...persisted,
    clock,
    kept,
    preferences: () => store.getState().preferences,
    change: (change: Parameters<typeof preferencesChanged>[0]) =>
      void store.dispatch(preferencesChanged(change)),
  };
}

const fileIn = (folder: string) => join(folder, 'preferences.json');
const written = (folder: string): unknown => JSON.parse(readFileSync(fileIn(folder), 'utf8'));
const FRESH = { ...defaultPreferences, fromEnvironment: [] };

test('resets them on request, and writes no earlier value to the next file', async () => {
  const folder = mainFolder();
  const { preferences, change, forget, flush } = await startOn(folder);
  change({ audio: true });
  change({ sendAllFiles: true });
  forget();
  expect(preferences()).toEqual(FRESH);
  flush();
  expect(written(folder)).toEqual({ audio: true });
  change({ theme: 'dark' });
  flush();
  expect(written(folder)).toEqual({ theme: 'dark' });
});

test('writes the file once per second at most, and the last change is in it a second later', async () => {
  const folder = mainFolder();
  const { clock, change } = await startOn(folder);
  const files = new Set<number>();
  for (let changes = 0; changes < 100; changes++) {
    change({ captureDays: changes + 1 });
    files.add(statSync(fileIn(folder)).ino);
  }
  expect([files.size, written(folder)]).toEqual([1, { captureDays: 1 }]);
  clock.advance(999);
  expect(written(folder)).toEqual({ captureDays: 1 });
  clock.advance(1);
  expect(written(folder)).toEqual({ captureDays: 100 });
  clock.advance(1000);
  change({ captureDays: 6 });
  expect(written(folder)).toEqual({ captureDays: 6 });
});

test('contract §2 newer version: uses the known fields of a newer version’s file, and leaves the others in it', async () => {
  const folder = mainFolder();
  writeFileSync(fileIn(folder), '{"theme":"dark","font":{"size":14},"audio":true}');
  const { preferences, change, kept } = await startOn(folder);
  expect(preferences()).toEqual({ ...FRESH, theme: 'dark', audio: true });
  change({ theme: 'light' });
  expect(written(folder)).toEqual({ theme: 'light', font: { size: 14 }, audio: true });
  expect([readdirSync(folder), kept.lines()]).toEqual([['preferences.json'], []]);
});

test('begins with the defaults; applies a change at once and after a restart, also a limit of recordings that was removed, and stores it with mode 0600', async () => {
  const folder = mainFolder();
  const { preferences, change, flush, kept } = await startOn(folder);
  expect([preferences(), existsSync(fileIn(folder)), kept.lines()]).toEqual([FRESH, false, []]);
  change({ audio: true });
  change({ theme: 'dark', captureDays: null });
  flush();
  expect(preferences()).toEqual({ ...FRESH, audio: true, theme: 'dark', captureDays: null });
  expect((await startOn(folder)).preferences()).toEqual(preferences());
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['preferences.json']);
});

test('contract §2 PARLEY_AUDIO: keeps audio at the value of PARLEY_AUDIO, and uses the stored choice without it', async () => {
  const audio = false;
  const folder = mainFolder();
  (await startOn(folder)).change({ audio: !audio });
  const { preferences, change } = await startOn(folder, audio);
  expect(preferences()).toMatchObject({ audio, fromEnvironment: ['audio'] });
  change({ audio: !audio, theme: 'light' });
  expect(preferences()).toMatchObject({ audio, theme: 'light' });
  expect((await startOn(folder)).preferences()).toEqual({ ...FRESH, audio: !audio, theme: 'light' });
});

test('returns the defaults and keeps a copy of a corrupt file', async () => {
  for (const text of ['{', '{"other":1,"theme":"sepia"}']) {
    const folder = mainFolder();
    writeFileSync(fileIn(folder), text);
    const { preferences, change, kept } = await startOn(folder);
    expect(preferences()).toEqual(FRESH);
    expect(readFileSync(`${fileIn(folder)}.corrupt-1`, 'utf8')).toBe(text);
    expect(kept.lines()).toEqual([expect.objectContaining({ level: 'error' })]);
    change({ audio: true });
    expect((await startOn(folder)).preferences().audio).toBe(true);
  }
});
