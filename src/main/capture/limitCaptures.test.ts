import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { captureFolder } from './captureFolder.ts';

const NOW = new Date('2026-11-20T09:00:00.000Z');
const nameOf = (days: number, mark = '-recorded') => {
  const time = new Date(NOW.getTime() - days * 24 * 60 * 60 * 1000);
  return { time, name: `${time.toISOString().replaceAll(':', '-')}${mark}.parley.jsonl` };
};

const idle = () => Promise.resolve();

/** A data folder's captures of these ages in days, each of 1 MB, with the limiter started on it. */
async function startOn({ recorded = [], saved = [] }: { recorded?: number[]; saved?: number[] }) {
  const path = join(mainFolder(), 'captures');
  mkdirSync(path);
  const put = ({ name, time }: ReturnType<typeof nameOf>) => {
    writeFileSync(join(path, name), '');
    truncateSync(join(path, name), 1_000_000);
    utimesSync(join(path, name), time, time);
  };
  for (const days of recorded) put(nameOf(days));
  for (const days of saved) put(nameOf(days, ''));
  const folder = captureFolder(path);
  const { store, listeners } = await mainStore();
  const { limitCaptures } = await import('./limitCaptures.ts');
  const kept = mainLog();
  const limiter = limitCaptures({
    folder,
    recorder: { idle },
    store,
    listeners,
    today: () => NOW,
    log: kept.log,
  });
  return { path, put, folder, store, kept, limiter, names: () => readdirSync(path).sort() };
}

describe('limits the recordings that are kept', () => {
  test('deletes old recordings at the start, and logs how many without their names', async () => {
    const { limiter, names, kept } = await startOn({ recorded: [1, 31, 60], saved: [400] });
    expect(await limiter.stored()).toEqual({
      recorded: { files: 1, bytes: 1_000_000 },
      saved: { files: 1, bytes: 1_000_000 },
    });
    expect(names()).toEqual([nameOf(400, '').name, nameOf(1).name]);
    expect(kept.lines()).toEqual([
      { level: 'info', msg: 'old recordings were deleted', files: 2, bytes: 2_000_000 },
    ]);
  });

  test('deletes at a session’s end and at a change of a limit, never the recording that is open', async () => {
    const { limiter, put, folder, store, names } = await startOn({});
    await limiter.stored();
    const open = await folder.create(NOW.toISOString());
    onTestFinished(() => open.close());
    put(nameOf(31));
    store.dispatch(sessionEnded());
    expect((await limiter.stored()).recorded.files).toBe(1);
    put(nameOf(5));
    put(nameOf(9));
    store.dispatch(preferencesChanged({ captureDays: 7 }));
    expect((await limiter.stored()).recorded.files).toBe(2);
    store.dispatch(preferencesChanged({ captureMegabytes: 1, captureDays: 1 }));
    expect((await limiter.stored()).recorded.files).toBe(1);
    expect(names()).toEqual([nameOf(0).name]);
  });

  test('keeps all recordings when the preferences have no limits', async () => {
    const { limiter, put, store } = await startOn({});
    store.dispatch(preferencesChanged({ captureDays: null, captureMegabytes: null }));
    put(nameOf(4000));
    store.dispatch(sessionEnded());
    expect((await limiter.stored()).recorded.files).toBe(1);
  });

  test('continues with a folder that cannot be read, and logs it', async () => {
    const file = join(mainFolder(), 'captures');
    writeFileSync(file, '');
    const { store, listeners } = await mainStore();
    const { limitCaptures } = await import('./limitCaptures.ts');
    const kept = mainLog();
    const limiter = limitCaptures({
      folder: captureFolder(file),
      recorder: { idle },
      store,
      listeners,
      today: () => NOW,
      log: kept.log,
    });
    expect(await limiter.stored()).toEqual({
      recorded: { files: 0, bytes: 0 },
      saved: { files: 0, bytes: 0 },
    });
    expect(kept.lines()).toEqual([
      { level: 'error', msg: 'old recordings could not be deleted', code: 'ENOTDIR' },
    ]);
  });
});
