import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorCode } from '#shared/formatText.ts';
import * as limits from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { captureFile, type AppendHandle } from './captureFile.ts';
import { changes } from '#tests/builders/changes.ts';

/** Limits that a few lines reach. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  CAPTURE_PAUSE_BYTES: 2_000_000,
  CAPTURE_WAITING_BYTES: 4_000_000,
}));

interface FileOptions {
  readonly path?: string;
  /** The number of bytes for which the disk has space. */
  readonly room?: number;
  readonly open?: () => Promise<AppendHandle>;
}

/** Creates a capture file with a virtual clock, in its own folder or at `path`, on a disk whose space the test can increase. */
function fileForTest({
  path = join(mainFolder(), 'x.parley.jsonl'),
  room = Infinity,
  open: openFile,
}: FileOptions = {}) {
  const disk = { room };
  const { changed, until: untilTrue } = changes();
  /** Resolves when the condition is true and the file has handled the end of its write. */
  const until = async (condition: () => boolean) => {
    await untilTrue(condition);
    await setImmediate();
  };
  const virtual = virtualClock();
  const clock = {
    ...virtual,
    after(ms: number, task: () => void) {
      const cancel = virtual.after(ms, task);
      changed();
      return cancel;
    },
  };
  /** The codes of the reported errors, `recovered`, and whether the session waits. */
  const events: unknown[] = [];
  const report = (event: unknown): void => {
    events.push(event);
    changed();
  };
  const appended: string[] = [];
  const openReal = async (): Promise<AppendHandle> => {
    const file = await open(path, 'a');
    return {
      async appendFile(text) {
        const bytes = Buffer.from(String(text));
        const fits = bytes.subarray(0, Math.max(0, disk.room));
        disk.room -= fits.length;
        await file.appendFile(fits);
        if (fits.length < bytes.length) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        appended.push(String(text));
        changed();
      },
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  };
  const file = captureFile({
    header: '',
    clock,
    open: openFile ?? openReal,
    onBacklog: (isTooLong) => report(isTooLong ? 'waits' : 'goes on'),
    onFailure: (error) => report(errorCode(error)),
    onRecovery: () => report('recovered'),
    replaceLost: (lost) => [`${lost} lost\n`, 'replaced\n'],
  });
  onTestFinished(() => file.end());
  const contents = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []);
  return {
    file,
    disk,
    clock,
    events,
    appended,
    contents,
    until,
    untilTimer: () => until(() => clock.nextDue() !== undefined),
  };
}

/** A disk each of whose writes ends when the test says so. */
function slowDisk() {
  const { changed, until } = changes();
  const writes: { readonly text: string; readonly finish: () => void }[] = [];
  const handle: AppendHandle = {
    appendFile: (text) =>
      new Promise((finish) => {
        writes.push({ text: String(text), finish });
        changed();
      }),
    truncate: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return {
    handle,
    until,
    writes,
    texts: () => writes.map(({ text }) => text),
    /** Ends the write with this number, as soon as it has begun. */
    async finish(number: number): Promise<void> {
      await until(() => writes.length >= number);
      writes[number - 1]?.finish();
    },
  };
}

test('writes the lines when the flush is due, before the session ends', async () => {
  const { file, clock, appended, contents, until } = fileForTest();
  file.append('one\n');
  file.append('two\n');
  clock.advance(limits.CAPTURE_FLUSH_MS - 1);
  expect(appended).toEqual([]);
  clock.advance(1);
  await until(() => appended.length === 1);
  expect(contents()).toEqual(['one', 'two']);
  file.append('three\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  await until(() => appended.length === 2);
  expect(contents()).toEqual(['one', 'two', 'three']);
  expect(limits.CAPTURE_FLUSH_MS).toBeLessThanOrEqual(1000);
});

test('keeps the lines on a full disk, truncates the file to whole lines, and writes all once there is room', async () => {
  const { file, disk, clock, events, appended, contents, until, untilTimer } = fileForTest({ room: 10 });
  file.append('one\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  // The line may be in the file before its write has ended.
  await until(() => appended.length === 1);
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
  expect(contents()).toEqual(['one', 'two two two', 'three']);
});

test('retries after 1, 2, 4, up to 60 s on a full disk', async () => {
  const { file, clock, events, untilTimer } = fileForTest({ path: '/dev/full' });
  file.append('one\n');
  clock.advance(limits.CAPTURE_FLUSH_MS);
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    await untilTimer();
    waits.push((clock.nextDue() ?? 0) - clock.now());
    clock.advance(waits.at(-1) ?? 0);
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  await file.end();
  expect(clock.nextDue()).toBeUndefined();
  expect(events).toEqual(['ENOSPC']);
});

/** Returns a line that is longer than half of the length from which on the session waits. */
const longLine = (name: string) => `${name} ${'x'.repeat(limits.CAPTURE_PAUSE_BYTES / 2)}\n`;

test('contract §6: makes the session wait longer than 10 s for a disk that is slow, and not for one that writes nothing', async () => {
  const disk = slowDisk();
  const { file, clock, events } = fileForTest({ open: () => Promise.resolve(disk.handle) });
  const lines = Array.from({ length: 5 }, (_, n) => longLine(`${n}`));
  for (const line of lines) file.append(line);
  await disk.until(() => disk.writes.length === 1);
  clock.advance(limits.CAPTURE_STALL_MS - 1);
  await disk.finish(1);
  await disk.until(() => disk.writes.length === 2);
  clock.advance(limits.CAPTURE_STALL_MS - 1);
  expect(events).toEqual(['waits']);
  clock.advance(1);
  expect(events).toEqual(['waits', 'TOOSLOW', 'goes on']);
  for (let number = 2; number <= 5; number++) {
    await disk.finish(number);
    clock.advance(limits.CAPTURE_MAX_RETRY_MS);
  }
  await file.end();
  expect(events).toEqual(['waits', 'TOOSLOW', 'goes on', 'recovered']);
  expect(disk.texts()).toEqual(lines);
});
