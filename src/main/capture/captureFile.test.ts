import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorCode } from '#shared/formatText.ts';
import * as limits from '#shared/limits.ts';
import { type Clock, virtualClock } from '#shared/clock.ts';
import { captureFile, type AppendHandle } from './captureFile.ts';
import { changes } from '#tests/builders/changes.ts';

/** Limits that a few lines reach. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  CAPTURE_PAUSE_BYTES: 2_000_000,
  CAPTURE_WAITING_BYTES: 4_000_000,
}));

/** Creates a capture file with a virtual clock, on a disk in memory that can be full, or slow. */
function fileForTest(room = Infinity) {
  const { changed, until: untilTrue } = changes();
  /** Resolves when the condition is true and the file has handled the end of its write. */
  const until = async (condition: () => boolean) => {
    await untilTrue(condition);
    await setImmediate();
  };
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
  const disk = { room, text: '', appends: [] as string[], wait: async () => {}, finish() {} };
  const handle: AppendHandle = {
    async appendFile(text) {
      disk.appends.push(String(text));
      changed();
      await disk.wait();
      const fits = String(text).slice(0, Math.max(0, disk.room - disk.text.length));
      disk.text += fits;
      if (fits !== text) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
    truncate: async (length) => void (disk.text = disk.text.slice(0, length)),
    async close() {},
  };
  const file = captureFile({
    header: '',
    clock,
    open: async () => handle,
    onBacklog: (isTooLong) => report(isTooLong ? 'waits' : 'goes on'),
    onFailure: (error) => report(errorCode(error)),
    onRecovery: () => report('recovered'),
    replaceLost: () => [],
  });
  onTestFinished(() => file.end());
  const untilTimer = () => until(() => clock.nextDue() !== undefined);
  return { file, disk, clock, events, until, untilTimer };
}

test('writes the lines when the flush is due, before the session ends', async () => {
  const { file, clock, disk, until } = fileForTest();
  file.append('one\n');
  file.append('two\n');
  clock.advance(limits.CAPTURE_FLUSH_MS - 1);
  expect(disk.appends).toEqual([]);
  clock.advance(1);
  await until(() => disk.appends.length === 1);
  expect(disk.text).toBe('one\ntwo\n');
  file.append('three\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => disk.appends.length === 2);
  expect(disk.text).toBe('one\ntwo\nthree\n');
  expect(limits.CAPTURE_FLUSH_MS).toBeLessThanOrEqual(1000);
});

test('keeps the lines on a full disk, truncates the file to whole lines, and writes all once there is room', async () => {
  const { file, disk, clock, events, until, untilTimer } = fileForTest(10);
  file.append('one\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => disk.appends.length === 1);
  file.append('two two two\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => events.length === 1);
  file.append('three\n');
  for (let tries = 0; tries < 3; tries++) {
    await untilTimer();
    clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  }
  await untilTimer();
  expect(events).toEqual(['ENOSPC']);
  disk.room = 1000;
  clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  await until(() => events.length === 2);
  expect(events).toEqual(['ENOSPC', 'recovered']);
  expect(disk.text).toBe('one\ntwo two two\nthree\n');
});

test('retries after 1, 2, 4, up to 60 s on a full disk, each time that it is full', async () => {
  const { file, clock, events, disk, until, untilTimer } = fileForTest(0);
  file.append('one\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    await untilTimer();
    waits.push((clock.nextDue() ?? 0) - clock.now());
    clock.advance(waits.at(-1) ?? 0);
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  disk.room = 4;
  await until(() => events.length === 2);
  file.append('two\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await untilTimer();
  expect((clock.nextDue() ?? 0) - clock.now()).toBe(1000);
  await file.end();
  expect(clock.nextDue()).toBeUndefined();
  expect(events).toEqual(['ENOSPC', 'recovered', 'ENOSPC']);
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
  clock.advance(limits.CAPTURE_STALL_MS - 1);
  expect(events).toEqual(['waits']);
  clock.advance(1);
  expect(events).toEqual(['waits', 'TOOSLOW', 'goes on']);
  for (let number = 2; number <= 5; number++) {
    await until(() => disk.appends.length === number);
    disk.finish();
    clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  }
  await file.end();
  expect(events).toEqual(['waits', 'TOOSLOW', 'goes on', 'recovered']);
  expect(disk.appends).toEqual(lines);
});
