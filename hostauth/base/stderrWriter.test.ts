import type * as fs from 'node:fs';
import type * as tty from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';

const listeners = () => [process.stdout, process.stderr].map((stream) => stream.listenerCount('error'));

/** Loads the modules of the log with a stderr of this kind; collects what is written, and to which file. */
async function stderrOf(kind: 'pipe' | 'socket' | 'file' | 'terminal', { opens = true } = {}) {
  const written: string[] = [];
  const disk = { isFull: false };
  // Other files of the process use the modules without the mocks.
  vi.resetModules();
  vi.doMock('node:fs', async (original) => ({
    ...(await original<typeof fs>()),
    fstatSync: () => ({ isFIFO: () => kind === 'pipe', isSocket: () => kind === 'socket' }),
    openSync(path: string) {
      if (!opens) throw new Error('not yours');
      written.push(`opened ${path}`);
      return 9;
    },
    writeSync(fd: number, text: string) {
      if (disk.isFull) throw new Error('full');
      written.push(`${fd}: ${text}`);
    },
  }));
  vi.doMock('node:tty', async (original) => ({
    ...(await original<typeof tty>()),
    isatty: () => kind === 'terminal',
  }));
  vi.useFakeTimers({ now: 7 });
  const write = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0);
  const waiting = vi.spyOn(process.stderr, 'writableLength', 'get');
  onTestFinished(() => {
    for (const name of ['node:fs', 'node:tty']) vi.doUnmock(name);
    vi.resetModules().useRealTimers();
    for (const mock of [write, waiting]) mock.mockRestore();
  });
  const { createStderrWriter, createHelperLog } = await import('./stderrWriter.ts');
  const { createLogger } = await import('./logger.ts');
  return { written, disk, waiting, createStderrWriter, createHelperLog, createLogger };
}

test('drops lines while more than 1 MiB waits for the reader of a pipe, and does not end when it has closed the pipe', async () => {
  for (const kind of ['pipe', 'socket'] as const) {
    const { createStderrWriter, waiting, written } = await stderrOf(kind);
    const before = listeners();
    const write = createStderrWriter();
    // An error event without a listener would end the process.
    expect(listeners()).toEqual(before.map((count) => count + 1));
    for (const [length, line] of [
      [0, 'first'],
      [2 ** 20, 'dropped'],
      [2 ** 20 - 1, 'last'],
    ] as const) {
      waiting.mockReturnValue(length);
      write(line);
    }
    expect(written).toEqual(['first', 'last']);
  }
});

test('writes to a file, or to the terminal opened again so that a stopped one does not block, or to stderr where that is not allowed; a full disk loses the line only', async () => {
  for (const [kind, options, expected] of [
    ['file', {}, ['2: a', '2: c']],
    ['terminal', {}, ['opened /proc/self/fd/2', '9: a', '9: c']],
    ['terminal', { opens: false }, ['2: a', '2: c']],
  ] as const) {
    const { createStderrWriter, disk, written } = await stderrOf(kind, options);
    const write = createStderrWriter();
    for (const line of ['a', 'b', 'c']) {
      disk.isFull = line === 'b';
      write(line);
    }
    expect(written).toEqual(expected);
  }
});

test('the log of the helper has JSON lines; that of the command has them in batches, after 200 ms, when 4096 characters wait, or at once when it is flushed, and readable lines on a terminal', async () => {
  const { createHelperLog, createLogger, written } = await stderrOf('pipe');
  const helper = '"name":"hostauth-helper"';
  createHelperLog()('warn', 'lost', { detail: 'x' });
  createHelperLog()('info', 'ready');
  expect(written.splice(0)).toEqual([
    `{"level":40,"time":7,${helper},"detail":"x","msg":"lost"}\n`,
    `{"level":30,"time":7,${helper},"msg":"ready"}\n`,
  ]);
  const { logger, flush } = createLogger(false);
  const line = (msg: string) => `{"level":30,"time":7,"name":"hostauth","msg":"${msg}"}\n`;
  for (const write of [() => vi.advanceTimersByTime(200), flush, () => logger.flush()]) {
    vi.setSystemTime(7);
    for (const msg of ['a', 'b']) logger.info(msg);
    expect(written).toEqual([]);
    write();
    expect(written.splice(0)).toEqual([line('a') + line('b')]);
  }
  vi.setSystemTime(7);
  for (const length of [4095, 4096]) {
    logger.info('x'.repeat(length - line('').length));
    expect(written.splice(0).join('')).toHaveLength(length === 4096 ? 2 * length - 1 : 0);
  }
  const terminal = createLogger(true);
  terminal.logger.info('seen');
  expect(written.join('')).toMatch(/INFO.*: .*seen.*\n$/);
  expect(written.join('')).not.toContain('hostauth');
});
