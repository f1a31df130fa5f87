import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CAPTURE_FLUSH_MS, CAPTURE_WAITING_BYTES } from '#shared/limits.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { type AppendHandle, captureFile } from './captureFile.ts';

/** A capture file on a clock that the test turns, in a folder of its own or at `path`. */
function fileForTest(path = join(mainFolder(), 'x.parley.jsonl')) {
  const clock = virtualClock();
  const failures: unknown[] = [];
  const appended: string[] = [];
  const file = captureFile({
    clock,
    async open() {
      const handle = await open(path, 'a');
      return {
        async appendFile(text) {
          await handle.appendFile(text);
          appended.push(String(text));
        },
        close: () => handle.close(),
      } satisfies AppendHandle;
    },
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => file.end());
  return { file, clock, failures, appended, contents: () => readFileSync(path, 'utf8') };
}

test('lines appended, in the file once the flush is due and without the session’s end', async () => {
  const { file, clock, appended, contents } = fileForTest();
  file.append('one\n');
  file.append('two\n');
  clock.advance(CAPTURE_FLUSH_MS - 1);
  expect(appended).toEqual([]);
  clock.advance(1);
  await vi.waitUntil(() => appended.length === 1);
  expect(contents()).toBe('one\ntwo\n');
  file.append('three\n');
  clock.advance(CAPTURE_FLUSH_MS);
  await vi.waitUntil(() => appended.length === 2);
  expect(contents()).toBe('one\ntwo\nthree\n');
  expect(CAPTURE_FLUSH_MS).toBeLessThanOrEqual(1000);
});

test('many lines while others are being written, all in the file in their order', async () => {
  const { file, clock, contents } = fileForTest();
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 97)}\n`);
  for (const [n, line] of lines.entries()) {
    file.append(line);
    if (n % 100 === 0) clock.advance(CAPTURE_FLUSH_MS);
    if (n % 1000 === 0) await Promise.resolve();
  }
  await file.end();
  expect(contents()).toBe(lines.join(''));
});

test('ended, all is in the file at once and no timer is left', async () => {
  const { file, clock, contents } = fileForTest();
  file.append('one\n');
  await file.end();
  expect(contents()).toBe('one\n');
  expect(clock.nextDue()).toBeUndefined();
});

test('the disk full, said once, and what is appended later goes nowhere', async () => {
  const { file, clock, failures } = fileForTest('/dev/full');
  file.append('one\n');
  clock.advance(CAPTURE_FLUSH_MS);
  file.append('two\n');
  clock.advance(CAPTURE_FLUSH_MS);
  await vi.waitUntil(() => failures.length > 0);
  file.append('three\n');
  expect(clock.nextDue()).toBeUndefined();
  await file.end();
  expect(failures).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
});

test('the file cannot be opened, said once and the end is reached all the same', async () => {
  const folder = mainFolder();
  appendFileSync(join(folder, 'a file'), '');
  const { file, failures } = fileForTest(join(folder, 'a file', 'x.parley.jsonl'));
  file.append('one\n');
  await file.end();
  expect(failures).toEqual([expect.objectContaining({ code: 'ENOTDIR' })]);
});

test('a slow write, the next one begins when it has ended', async () => {
  const clock = virtualClock();
  const writes: { readonly text: string; readonly finish: () => void }[] = [];
  const handle: AppendHandle = {
    appendFile: (text) => new Promise((finish) => writes.push({ text: String(text), finish })),
    close: () => Promise.resolve(),
  };
  const file = captureFile({ clock, open: () => Promise.resolve(handle), onFailure() {} });
  for (const line of ['one\n', 'two\n', 'three\n']) {
    file.append(line);
    clock.advance(CAPTURE_FLUSH_MS);
  }
  const ended = file.end();
  await vi.waitUntil(() => writes.length > 0);
  await setImmediate();
  expect(writes.map(({ text }) => text)).toEqual(['one\n']);
  while (!writes.at(-1)?.text.includes('three')) {
    const before = writes.length;
    writes.at(-1)?.finish();
    await vi.waitUntil(() => writes.length > before);
  }
  expect(writes.map(({ text }) => text).join('')).toBe('one\ntwo\nthree\n');
  for (const { finish } of writes) finish();
  await ended;
});

test('a disk that takes nothing, given up once too much waits, and said once whatever comes of it', async () => {
  const clock = virtualClock();
  const onFailure = vi.fn<(error: unknown) => void>();
  const door = new AbortController();
  const file = captureFile({
    clock,
    onFailure,
    async open() {
      await once(door.signal, 'abort');
      throw new Error('after a long time');
    },
  });
  const line = 'x'.repeat(CAPTURE_WAITING_BYTES / 4);
  for (let n = 0; n < 4; n++) {
    file.append(line);
    clock.advance(CAPTURE_FLUSH_MS);
  }
  expect(onFailure).not.toHaveBeenCalled();
  file.append(line);
  file.append(line);
  door.abort();
  await file.end();
  expect(onFailure.mock.calls).toEqual([[expect.objectContaining({ code: 'TOOSLOW' })]]);
});
