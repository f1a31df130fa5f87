import * as fs from 'node:fs';
import type * as promises from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { captureFolder, type CaptureEntry, type CaptureFolder } from './captureFolder.ts';
import { type CaptureLimits, capturesToDelete } from './limitCaptures.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import * as fc from 'fast-check';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { type ParleyEngine, createParleyEngine } from '#replay/parley/parley.ts';
import { hashReplay } from '#replay/parley/hashReplay.ts';
import { isFrame } from '#replay/engine/frames.ts';
import { type ActsState, actionRecord, actsPart } from '#shared/capture/recordedActions.ts';
import { type KnownRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import { connectionConfirmed, sessionEnded } from '#shared/actions/sessionActions.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { attentionGained } from '#shared/actions/mainActions.ts';
import { connectionRequested, preferencesChanged } from '#shared/actions/userActions.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { type CaptureRing, captureRing } from './captureRing.ts';

const NOW = new Date('2026-11-20T09:00:00.000Z');
const STARTED = NOW.toISOString();
const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);

function* pieces(taken?: string) {
  if (taken !== undefined) fs.writeFileSync(taken, 'of another program');
  yield 'a';
  if (taken === undefined) throw new Error('half way');
}

test('contract §2: creates the folder with mode 0700 and a file with mode 0600, named by the session’s launch, and leaves no file when saving fails half way', async () => {
  const path = join(mainFolder(), 'captures');
  const folder = captureFolder(path);
  await expect(folder.save(STARTED, pieces())).rejects.toThrow('half way');
  expect(fs.readdirSync(path)).toEqual([]);
  const other = join(path, '2026-11-20T09-00-00.000Z.parley.jsonl');
  await expect(folder.save(STARTED, pieces(other))).rejects.toThrow('EEXIST');
  expect(fs.readFileSync(other, 'utf8')).toBe('of another program');
  fs.rmSync(other);
  fs.symlinkSync(path, `${path}-linked`);
  await (await captureFolder(`${path}-linked`).create(STARTED)).close();
  expect(fs.readdirSync(path)).toEqual(['2026-11-20T09-00-00.000Z-recorded.parley.jsonl']);
  expect([modeOf(path), modeOf(join(path, fs.readdirSync(path)[0] ?? ''))]).toEqual(['700', '600']);
});

test('lists recordings, other captures and which recording is open', async () => {
  const path = join(mainFolder(), 'captures');
  const folder = captureFolder(path);
  expect(await folder.list()).toEqual([]);
  const ended = await folder.create(STARTED);
  await ended.appendFile('12345');
  await ended.close();
  const open = await folder.create(STARTED);
  onTestFinished(() => open.close());
  await folder.save(STARTED, ['a']);
  for (const name of ['hello-recorded.parley.jsonl', 'old.parley.jsonl.gz', 'notes.txt', 'x.golden.json'])
    fs.writeFileSync(join(path, name), 'x');
  fs.symlinkSync(join(path, 'notes.txt'), join(path, '2026-11-20T09-00-00.000Z-recorded-9.parley.jsonl'));
  const captures = (await folder.list()).map(
    ({ path: file, bytes, isRecording, isOpen }) =>
      `${basename(file)} ${bytes}${isRecording ? ' recording' : ''}${isOpen ? ' open' : ''}`,
  );
  expect(captures.sort()).toEqual([
    '2026-11-20T09-00-00.000Z-recorded-2.parley.jsonl 0 recording open',
    '2026-11-20T09-00-00.000Z-recorded.parley.jsonl 5 recording',
    '2026-11-20T09-00-00.000Z.parley.jsonl 1',
    'hello-recorded.parley.jsonl 1',
    'old.parley.jsonl.gz 1',
  ]);
});

test('lists a recording whose close failed as one that is not open, so that it can be deleted', async () => {
  vi.resetModules();
  vi.doMock('node:fs/promises', async (original) => {
    const files = await original<typeof promises>();
    const open = async (...args: Parameters<typeof files.open>) => {
      const file = await files.open(...args);
      const close = file.close.bind(file);
      return Object.assign(file, { close: () => close().then(() => Promise.reject(new Error('EIO'))) });
    };
    return { ...files, open };
  });
  const { captureFolder: freshFolder } = await import('./captureFolder.ts');
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
  const folder = freshFolder(join(mainFolder(), 'captures'));
  const file = await folder.create(STARTED);
  await expect(file.close()).rejects.toThrow('EIO');
  expect(await folder.list()).toMatchObject([{ isRecording: true, isOpen: false }]);
});

const DAY = 24 * 60 * 60 * 1000;
const DEFAULTS: CaptureLimits = { captureDays: 30, captureMegabytes: 1000 };

const recording = (path: string, days: number, fields: Partial<CaptureEntry> = {}): CaptureEntry => ({
  path,
  bytes: 1_000_000,
  writtenAt: NOW.getTime() - days * DAY,
  isRecording: true,
  isOpen: false,
  ...fields,
});

const pathsOf = (captures: readonly CaptureEntry[], limits: Partial<CaptureLimits> = {}) =>
  capturesToDelete(captures, { ...DEFAULTS, ...limits }, NOW.getTime()).map(({ path }) => path);

test('deletes those older than the limit of days, not one of exactly that age, and the oldest until the others are within the limit of megabytes; keeps and counts the open one, and not what a person saved', () => {
  const old = [recording('a', 1), recording('b', 31), recording('c', 30), recording('d', 400)];
  expect(pathsOf(old)).toEqual(['d', 'b']);
  const captures = [recording('a', 1), recording('b', 3), recording('c', 2), recording('d', 4)];
  expect([2, 4].map((limit) => pathsOf(captures, { captureMegabytes: limit }))).toEqual([['d', 'b'], []]);
  const open = recording('open', 90, { bytes: 3_000_000, isOpen: true });
  expect(pathsOf([open, recording('a', 1)], { captureMegabytes: 2 })).toEqual(['a']);
  const saved = recording('saved', 400, { bytes: 5e9, isRecording: false });
  expect(pathsOf([saved, recording('a', 1)])).toEqual([]);
});

const nameOf = (days: number, mark = '-recorded') => {
  const time = new Date(NOW.getTime() - days * DAY);
  return { time, name: `${time.toISOString().replaceAll(':', '-')}${mark}.parley.jsonl` };
};

type Named = ReturnType<typeof nameOf>;

async function startOn(captures: readonly Named[] = [], given: Partial<CaptureFolder> = {}) {
  const path = join(mainFolder(), 'captures');
  fs.mkdirSync(path);
  const put = ({ name, time }: Named) => {
    fs.writeFileSync(join(path, name), '');
    fs.truncateSync(join(path, name), 1_000_000);
    fs.utimesSync(join(path, name), time, time);
  };
  captures.forEach(put);
  const folder = { ...captureFolder(path), ...given };
  const { store, listeners } = await mainStore({ keepsModules: true });
  const { limitCaptures } = await import('./limitCaptures.ts');
  const kept = mainLog();
  const recorder = { idle: () => Promise.resolve() };
  const limiter = limitCaptures({ folder, recorder, store, listeners, today: () => NOW, log: kept.log });
  return { path, put, folder, store, kept, limiter, recorder, names: () => fs.readdirSync(path).sort() };
}

test('deletes old recordings at the start, and logs how many without their names', async () => {
  const recordings = [1, 31, 60].map((days) => nameOf(days));
  const { limiter, names, kept } = await startOn([...recordings, nameOf(400, '')]);
  const one = { files: 1, bytes: 1_000_000 };
  expect(await limiter.stored()).toEqual({ recorded: one, saved: one });
  expect(names()).toEqual([nameOf(400, '').name, nameOf(1).name]);
  const msg = 'old recordings were deleted';
  expect(kept.lines()).toEqual([{ level: 'info', msg, files: 2, bytes: 2_000_000 }]);
});

test('goes on after a recording that cannot be deleted, logs the sum of the others, and counts none in a folder that cannot be read', async () => {
  const fault = Object.assign(new Error('x'), { code: 'EIO' });
  const list = vi.fn<CaptureFolder['list']>().mockRejectedValue(fault);
  list.mockResolvedValueOnce([recording(mainFolder(), 90), recording(join(mainFolder(), 'a'), 60)]);
  const { limiter, store, kept } = await startOn([], { list });
  await limiter.stored();
  store.dispatch(sessionEnded());
  expect(await limiter.stored()).toMatchObject({ recorded: { files: 0 } });
  expect(kept.lines()).toEqual([
    { level: 'warn', code: 'ERR_FS_EISDIR', msg: 'an old recording could not be deleted' },
    { level: 'info', files: 1, bytes: 1_000_000, msg: 'old recordings were deleted' },
    { level: 'error', code: 'EIO', msg: 'old recordings could not be deleted' },
  ]);
});

test('deletes at a session’s end and at a change of a limit, never the recording that is open', async () => {
  const { limiter, put, folder, store, names, recorder, kept } = await startOn();
  await limiter.stored();
  const recorded = async () => (await limiter.stored()).recorded.files;
  const open = await folder.create(NOW.toISOString());
  onTestFinished(() => open.close());
  // When its file is complete.
  vi.spyOn(recorder, 'idle').mockImplementationOnce(async () => (await nextTurn(), put(nameOf(31))));
  store.dispatch(sessionEnded());
  expect([await recorded(), kept.lines().length]).toEqual([1, 1]);
  put(nameOf(5));
  put(nameOf(9));
  store.dispatch(preferencesChanged({ captureDays: 7 }));
  expect(await recorded()).toBe(2);
  put(nameOf(6));
  store.dispatch(preferencesChanged({ captureMegabytes: 1 }));
  expect(await recorded()).toBe(2);
  store.dispatch(preferencesChanged({ captureDays: 1 }));
  expect([await recorded(), names()]).toEqual([1, [nameOf(0).name]]);
  store.dispatch(preferencesChanged({ captureDays: null, captureMegabytes: null }));
  put(nameOf(4000));
  store.dispatch(sessionEnded());
  expect(await recorded()).toBe(2);
});

const add = (ring: CaptureRing, record: KnownRecord): void => ring.record(record, updateOf(record));

const updateOf = (record: KnownRecord) =>
  isFrame(record, 'recv') ? decodeUpdate(record.encoding === 'base64' ? null : record.data) : undefined;

function replay(records: readonly KnownRecord[], engine: ParleyEngine) {
  for (const record of records) engine.take(record);
  return engine.finish();
}

const message = (id: string) => ({ modifier: 'ai', id, content: [{ category: 'text', text: id }] });

/** Returns what a capture that begins in the middle of a session has too: not the unread messages from before. */
function actsOf(state: ActsState) {
  const acts = actsPart(state);
  return { ...acts, attention: acts.attention.isWatched };
}

const anySession = anyRecords().map((records) =>
  records.filter(isKnown).filter((record) => {
    if (record.type !== 'action') return record.type !== 'release';
    return isRecorded(record.action.type) && record.action.type !== sessionEnded.type;
  }),
);

test('keeps records within any limit, whose replay ends like that of the whole session', () => {
  checkAll(60, [anySession, fc.integer({ min: 0, max: 4000 })], (records, limit) => {
    const ring = captureRing(limit);
    for (const record of records) {
      add(ring, record);
      expect(ring.bytes()).toBeLessThanOrEqual(limit);
    }
    const whole = replay(records, createParleyEngine());
    const kept = replay(ring.records(), createParleyEngine());
    const ending = ({ conversation }: typeof whole) =>
      hashReplay({ ...kept, counts: whole.counts, notifications: [], conversation });
    expect(ending(kept)).toBe(ending(whole));
    expect(actsOf(kept)).toEqual(actsOf(whole));
    const withoutConnection = { connection: null, wasConnected: null };
    const acts = { ...actsOf(ring.acts()), ...withoutConnection };
    expect(acts).toEqual({ ...actsOf(whole), ...withoutConnection });
    const times = ring.records().map(({ t }) => t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

test('holds as many records after many snapshots as after the first', () => {
  const ring = captureRing(20_000);
  for (let t = 0; t < 605; t++)
    add(ring, recv(t, t % 30 === 0 ? { person: 'Ada', messages: [] } : message('x')));
  expect(ring.records().length).toBeGreaterThan(25);
});

test('keeps the launch, the attention, and the last pong, close and request of those that it drops, in this order', () => {
  const ring = captureRing(0);
  const close = { t: 1, type: 'close', code: 1000, reason: 'maintenance' } as const;
  const [pong, request, gained] = [connectionConfirmed(), connectionRequested(), attentionGained()].map(
    (action) => actionRecord(action, 1),
  );
  const launch = { t: 0, type: 'launch' } as const;
  for (const record of [gained, launch, pong, close, request, pong, pong, close, close, request, request])
    if (record !== undefined) add(ring, record);
  const before = [launch, gained].map((record) => Object.assign({ synthetic: true }, record));
  expect(ring.records()).toEqual([...before, pong, close, request]);
  expect(ring.acts().attention.isWatched).toBe(true);
});
