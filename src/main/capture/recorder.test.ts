import { decodeUpdate } from '#shared/protocol/update.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorCode } from '#shared/formatText.ts';
import { type Clock, virtualClock } from '#shared/clock.ts';
import { createParleyEngine } from '#replay/parley/parley.ts';
import { replayFile } from '#replay/engine/replayFile.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { signInFormEdited, textBoxOpened } from '#shared/actions/windowActions.ts';
import { changes } from '#tests/builders/changes.ts';
import { type AppendHandle, captureFile } from './captureFile.ts';
import { ofWindow } from '#shared/store/openWindows.ts';
import * as limits from '#shared/limits.ts';
import { waitForState, signedInMessenger } from '#tests/builders/messengerAt.ts';
import { type TestRecorder, mainRecorder } from '#tests/builders/mainRecorder.ts';
import { parseCapture, readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';

async function recordedMessenger(options: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(options);
  const { recorder: capture, clock, kept } = recorded;
  return { recorded, ...(await signedInMessenger({ capture, clock, kept })) };
}

/** Limits that a few records reach. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  CAPTURE_PAUSE_BYTES: 2_000_000,
  CAPTURE_WAITING_BYTES: 4_000_000,
  CAPTURE_RING_BYTES: 1_000_000,
}));

async function completed({ recorder, files }: TestRecorder): Promise<string> {
  await recorder.settling();
  const [path = '', ...more] = files();
  expect(more).toEqual([]);
  return path;
}

test('spec §6.3 ws, contract §6 frames, actions, no secrets: records the unchanged frames, the opens, closes and acts of a session with the times of the queue, and `connected` once while pongs continue', async () => {
  const { reconnect, recorded, messenger, clock, socket, store, platform } = await recordedMessenger();
  clock.advance(25.5);
  socket.sendText('{ "name" : "Ad\\u0061" ,"x":1e2}');
  socket.sendBinary(Uint8Array.of(0, 1, 2));
  await waitForState(store, ({ counts }) => counts.received === 3);
  clock.advance(874.5);
  await waitForState(store, ({ connection }) => connection.status === 'connected');
  clock.advance(1000);
  await platform.roundTrip();
  messenger.send({ category: 'text', text: 'hi', blob: null });
  socket.close(1000, 'maintenance');
  await waitForState(store, ({ connection }) => connection.closedBecause !== null);
  messenger.send({ category: 'text', text: 'lost', blob: null });
  clock.advance(0.0004);
  reconnect();
  await platform.sockets.next();
  await platform.roundTrip();
  await messenger.signOut();
  await expect(readFileSync(await completed(recorded), 'utf8')).toMatchFileSnapshot('testing/session.txt');
});

test('writes nothing of what a window showed before the data was deleted', async () => {
  const recorded = mainRecorder();
  const { recorder, clock } = recorded;
  recorder.action(windowOpened(1), clock.now());
  recorder.action(ofWindow(textBoxOpened({ text: 'a secret draft' }), 1), clock.now());
  recorder.launched(clock.now());
  recorder.ended();
  const before = await completed(recorded);
  recorder.action(ofWindow(signInFormEdited({ email: 'ada@example.org', name: '' }), 1), clock.now());
  recorder.forget();
  recorder.launched(clock.now());
  recorder.forget();
  recorder.ended();
  await recorder.settling();
  const after = recorded.files().find((path) => path !== before) ?? '';
  expect(readFileSync(after, 'utf8')).not.toMatch(/draft|ada@/u);
  expect(readCaptureFile(after).records.map(({ type }) => type)).toEqual(['action', 'action', 'launch']);
});

/** A disk in memory that can be full, or slow. */
function createDisk(room = Infinity) {
  const { changed, until: untilTrue } = changes();
  const disk = { room, text: '', appends: [] as string[], wait: async () => {}, finish() {} };
  const handle: AppendHandle = {
    async appendFile(text) {
      disk.appends.push(String(text));
      changed();
      await disk.wait();
      setImmediate(changed);
      const fits = String(text).slice(0, Math.max(0, disk.room - disk.text.length));
      disk.text += fits;
      if (fits !== text) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
    truncate: async (length) => void (disk.text = String(Buffer.from(disk.text).subarray(0, length))),
    close: async () => void (disk.room = 0),
  };
  /** Resolves when the condition is true and the file has handled the end of its write. */
  const until = async (condition: () => boolean) => {
    await untilTrue(condition);
    await nextTurn();
  };
  return { changed, until, disk, handle };
}

const save = () => Promise.reject(new Error('not asked for'));

test('contract §6 time: a gap, and the state after it, stand at the time of the last missing record, and the replay has everything', async () => {
  const { disk, handle, until } = createDisk();
  const { recorder, clock, notes, kept } = mainRecorder({ folder: { create: async () => handle, save } });
  recorder.action(windowOpened(1), clock.now());
  clock.advance(5);
  recorder.launched(clock.now());
  let count = 0;
  /** Records frames of this length, each one millisecond later. */
  const receive = (frames: number, length: number) => {
    for (const last = count + frames; count < last; count++) {
      clock.advance(1);
      const content = { modifier: 'ai', id: `m${count}`, content: [], more: 'x'.repeat(length) };
      const frame = JSON.stringify(count === 0 ? { person: 'm0', messages: [] } : content);
      recorder.record({ t: clock.now() - 5, type: 'recv', data: frame }, decodeUpdate(frame));
    }
  };
  receive(2, 10);
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => disk.text.includes('m1'));
  disk.room = 0;
  receive(1, 10);
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => notes.length === 1);
  receive(9, limits.CAPTURE_WAITING_BYTES / 8);
  receive(2, 10);
  disk.room = Infinity;
  clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  await until(() => notes.length === 2);
  expect(kept.lines()).toMatchObject([{ level: 'error', why: 'the disk is full' }, { level: 'info' }]);
  recorder.ended();
  await recorder.settling();
  const { records } = parseCapture(disk.text);
  const lines = records.map((record) => {
    const ids = 'data' in record ? record.data.match(/m\d+/gu) : null;
    const lost = 'lost' in record ? ` of ${Number(record.lost)}` : '';
    return `${record.t} ${ids?.at(-1) ?? record.type}${lost}`;
  });
  const before = ['0 action', '5 launch', '6 m0', '7 m1'];
  // Of what is missing, m2 was received at 508 ms, and the last at 1,017 ms: the snapshot after the gap contains all.
  const after = ['1017 gap of 10', '1017 action', '1017 action', '1017 m11', '1018 m12', '1019 m13'];
  expect(lines).toEqual([...before, ...after]);
  const engine = createParleyEngine();
  for (const record of records) engine.take(record);
  const ids = toSnapshot(engine.finish().conversation).messages.map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 13 }, (_, at) => `m${at + 1}`));
});

test('waits for the file on quit until it is complete, and creates none without the setting; returns the reason when the session cannot be saved', async () => {
  const unrecorded = mainRecorder({ writesFiles: false });
  expect(await unrecorded.recorder.save()).toEqual({ error: 'There is no session to save.' });
  unrecorded.recorder.launched(0);
  writeFileSync(unrecorded.path, '');
  const error = 'The session could not be saved: a file is in the place of a folder.';
  expect(await unrecorded.recorder.save()).toEqual({ error });
  expect(unrecorded.kept.text()).toContain('"error","why":"a file is in the place of a folder"');
  rmSync(unrecorded.path);
  unrecorded.recorder.ended();
  expect([unrecorded.recorder.settling(), unrecorded.files()]).toEqual([undefined, []]);
  const ended = vi.fn<() => number>(() => recorded.files().length);
  const faults = { paused() {}, resumed() {}, ended };
  const { recorded, messenger } = await recordedMessenger({ faults });
  expect(recorded.recorder.settling()).toBeUndefined();
  messenger.quit();
  await recorded.recorder.settling();
  expect(recorded.recorder.settling()).toBeUndefined();
  const last = readCaptureFile(recorded.files()[0] ?? '').records.at(-1);
  expect(ended).toHaveReturnedWith(1);
  expect(last).toMatchObject({ action: { type: 'session/ended' } });
});

test('contract §6: makes the session wait for a disk that does not respond until it counts as failed, and waits at most one second for it on quit, but not before it is idle', async () => {
  const { recorder, clock } = mainRecorder({ folder: { create: () => new Promise<never>(() => {}), save } });
  const calls: string[] = [];
  const source = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  recorder.pauseWhileFull(source);
  recorder.launched(0);
  const data = 'x'.repeat(limits.CAPTURE_PAUSE_BYTES);
  for (const called of [[], ['pause'], ['pause']]) {
    recorder.record({ t: 1, type: 'recv', data });
    expect(calls).toEqual(called);
  }
  clock.advance(limits.CAPTURE_STALL_MS);
  expect(calls).toEqual(['pause', 'resume']);
  recorder.ended();
  const idle = vi.fn<() => void>();
  void recorder.idle().then(idle);
  const settling = recorder.settling();
  clock.advance(limits.CAPTURE_QUIT_MS);
  await settling;
  await nextTurn();
  expect(idle).not.toHaveBeenCalled();
  expect(recorder.settling()).toBeUndefined();
  // A session that has ended is neither stopped nor continued.
  recorder.launched(clock.now());
  recorder.pauseWhileFull(source);
  for (let times = 0; times < 2; times++) recorder.record({ t: 1, type: 'recv', data });
  recorder.ended();
  clock.advance(limits.CAPTURE_STALL_MS);
  expect(calls).toEqual(['pause', 'resume', 'pause']);
});

test('contract §6 middle of a session: saves a synthetic snapshot and the newest records when the session exceeds memory, and the replay ends in the same conversation', async () => {
  const { recorded, store, clock, socket } = await recordedMessenger({ writesFiles: false });
  const blob = 'A'.repeat(limits.CAPTURE_RING_BYTES / 8);
  for (let n = 1; n <= 6; n++)
    socket.send({ modifier: 'ai', id: `m${n}`, content: [{ category: 'file', text: `${n}`, blob }] });
  await waitForState(store, ({ counts }) => counts.received === 7);
  clock.advance(1000);
  const { recorder } = recorded;
  const saves = Promise.all([recorder.save(), recorder.save()]);
  // The session ends, and another one begins, while the second waits.
  recorder.ended();
  recorder.launched(clock.now());
  const [saved, other] = await saves;
  if ('error' in saved) throw new Error(saved.error);
  const second = saved.path.replace('Z.', 'Z-2.');
  expect([other, readFileSync(second).equals(readFileSync(saved.path))]).toEqual([{ path: second }, true]);
  const { records } = readCaptureFile(saved.path);
  expect(records.slice(0, 2)).toMatchObject([
    { t: 0, type: 'launch', synthetic: true },
    { type: 'recv', synthetic: true },
  ]);
  expect(records.length).toBeLessThan(8);
  const { replay } = await replayFile(saved.path, createParleyEngine());
  const [texts, shown] = [replay, store.getState()].map(({ conversation }) => toSnapshot(conversation));
  expect(JSON.stringify(texts) === JSON.stringify(shown)).toBe(true);
});

function fileForTest(room?: number) {
  const { changed, until, disk, handle } = createDisk(room);
  const virtual = virtualClock();
  const after: Clock['after'] = (...args) => {
    const cancel = virtual.after(...args);
    changed();
    return cancel;
  };
  const clock = { ...virtual, after };
  /** The codes of the reported errors, `recovered`, and whether the session waits. */
  const events: unknown[] = [];
  const report = (event: unknown): void => {
    events.push(event);
    changed();
  };
  const file = captureFile({
    header: '',
    clock,
    open: async () => handle,
    onBacklog: (isTooLong) => report(isTooLong ? 'waits' : 'goes on'),
    onFailure: (error) => report(errorCode(error)),
    onRecovery: () => report('recovered'),
    replaceLost: (lost) => [`${lost} lost\n`],
  });
  onTestFinished(() => file.end());
  const untilTimer = () => until(() => clock.nextDue() !== undefined);
  return { file, disk, clock, events, until, untilTimer };
}

test('writes the lines when the flush is due, keeps them on a full disk, truncates the file to whole lines, and writes all once there is room; retries after 1, 2, 4, up to 60 s, each time that the disk is full', async () => {
  const { file, disk, clock, events, until, untilTimer } = fileForTest(10);
  for (const line of ['ö', 'ne\n']) file.append(line);
  clock.advance(limits.CAPTURE_FLUSH_MS - 1);
  expect([disk.appends, limits.CAPTURE_FLUSH_MS]).toEqual([[], 500]);
  clock.advance(1);
  await until(() => disk.appends.length === 1);
  file.append('two two two\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  // While the one before is being written.
  file.append('three\n');
  const waits: number[] = [];
  const untilDue = () => (clock.nextDue() ?? 0) - clock.now();
  for (let tries = 0; tries < 8; tries++) {
    await untilTimer();
    waits.push(untilDue());
    clock.advance(untilDue());
  }
  expect([waits, events]).toEqual([[1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000], ['ENOSPC']]);
  disk.room = 'one two two two three '.length;
  await until(() => events.length === 2);
  expect(disk.text).toBe('öne\ntwo two two\nthree\n');
  file.append('four\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await untilTimer();
  expect(untilDue()).toBe(1000);
  await file.end();
  expect([clock.nextDue(), events]).toEqual([undefined, ['ENOSPC', 'recovered', 'ENOSPC']]);
});

test('contract §6: counts every line that was lost, also those of a write that failed meanwhile', async () => {
  const { file, clock, disk, until, untilTimer } = fileForTest(0);
  for (const line of ['one\n', 'two\n']) file.append(line);
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await untilTimer();
  disk.wait = () => new Promise((resolve) => (disk.finish = resolve));
  clock.advance(limits.CAPTURE_RETRY_MS);
  await until(() => disk.appends.length === 2);
  for (let line = 0; line < 6; line++) file.append('x'.repeat(limits.CAPTURE_WAITING_BYTES / 4));
  disk.finish();
  await untilTimer();
  disk.room = Infinity;
  clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  await until(() => disk.appends.length === 3);
  disk.finish();
  await file.end();
  expect(disk.text).toBe('8 lost\n');
});

test('contract §6: makes the session wait longer than 10 s for a disk that is slow, and not for one that writes nothing', async () => {
  const { file, clock, events, disk, until } = fileForTest();
  disk.wait = () => new Promise((resolve) => (disk.finish = resolve));
  // Each is longer than half of the length from which on the session waits.
  const lines = Array.from({ length: 5 }, (_, n) => `${n} ${'x'.repeat(limits.CAPTURE_PAUSE_BYTES / 2)}\n`);
  for (const line of lines) file.append(line);
  await until(() => disk.appends.length === 1);
  clock.advance(limits.CAPTURE_STALL_MS - 1);
  disk.finish();
  await until(() => disk.appends.length === 2);
  // A stall of the program counts as a tenth.
  clock.stall(limits.CAPTURE_STALL_MS);
  clock.advance(0.9 * limits.CAPTURE_STALL_MS - 1);
  expect(events).toEqual(['waits']);
  clock.advance(1);
  expect(events).toEqual(['waits', 'TOOSLOW', 'goes on']);
  for (let number = 2; number <= 5; number++) {
    await until(() => disk.appends.length === number);
    disk.finish();
    clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  }
  await file.end();
  expect([events, disk.appends]).toEqual([['waits', 'TOOSLOW', 'goes on', 'recovered'], lines]);
  const next = fileForTest();
  next.disk.wait = () => new Promise((resolve) => (next.disk.finish = resolve));
  for (const line of lines.slice(1)) next.file.append(line);
  for (let number = 1; number <= 3; number++) {
    await next.until(() => next.disk.appends.length === number);
    if (number === 1) void next.file.end();
    if (number === 3) next.disk.wait = async () => {};
    // The session goes on as soon as the lines before those that wait are written.
    expect(next.events).toEqual(number === 3 ? ['waits', 'goes on'] : ['waits']);
    next.disk.finish();
  }
  await next.file.end();
  expect(next.disk.text).toBe(lines.slice(1).join(''));
});
