import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { endWithGrace } from './endWithGrace.ts';

/** Replaces functions of a module of Node in those that the test imports. Other files of the process use the real ones. */
function replaceInNode(name: string, functions: object): void {
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock(name);
    vi.resetModules();
  });
  vi.doMock(name, async (original) => ({ ...(await original<object>()), ...functions }));
}

const nothing = () => undefined;
const noPipe = { isFIFO: () => false, isSocket: () => false };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Calls `endWithGrace` in a process whose events the test emits and whose exit is a mock. */
function scene() {
  const events = new EventEmitter();
  const exit = vi.fn<(code: number) => void>();
  const names = ['on', 'once', 'listeners', 'removeListener'] as const;
  const own = Object.fromEntries(names.map((name) => [name, events[name].bind(events)]));
  vi.stubGlobal('process', Object.assign(Object.create(process), own, { exit }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const work: { complete: () => void; fail: (error: Error) => void } = { complete: nothing, fail: nothing };
  const end = vi.fn<() => Promise<void>>(
    () => new Promise((resolve, reject) => void Object.assign(work, { complete: resolve, fail: reject })),
  );
  const error = vi.fn<(text: unknown) => void>();
  endWithGrace({ error }, end);
  return { events, exit, end, error, work };
}

test('ends with 0 after the first signal, when the work is complete; ignores those that follow, and listens to them at every moment', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { events, exit, end, error, work } = scene();
    const counts: number[] = [];
    events.on('removeListener', (name) => name === signal && counts.push(events.listenerCount(signal)));
    events.emit(signal, signal);
    expect(Math.min(counts.length, ...counts)).toBeGreaterThan(0);
    for (const later of ['SIGTERM', 'SIGINT', 'SIGTERM'])
      // Without a listener the signal would end the process at once.
      expect(events.emit(later, later)).toBe(true);
    expect([end.mock.calls.length, exit.mock.calls, error.mock.calls]).toEqual([1, [], []]);
    work.complete();
    await settled();
    expect(exit.mock.calls).toEqual([[0]]);
  }
});

test('logs an error that nothing caught, after which it completes the work, or an error of the work, and ends with 1', async () => {
  const fault = new Error('a fault');
  for (const event of ['uncaughtException', 'SIGTERM']) {
    const { events, exit, error, work } = scene();
    events.emit(event, event === 'SIGTERM' ? event : fault);
    if (event === 'SIGTERM') work.fail(fault);
    else work.complete();
    await settled();
    expect([error.mock.calls, exit.mock.calls]).toEqual([[[fault]], [[1]]]);
  }
});

const NOTIFY_SOCKET = '/run/systemd/notify';

test.each<[Record<string, string>, string[]]>([
  [{ WATCHDOG_USEC: '1000000' }, []],
  [{ NOTIFY_SOCKET }, ['--ready']],
  [{ NOTIFY_SOCKET, WATCHDOG_USEC: '10000000' }, ['--ready', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1']],
])('in 15 s with %j of systemd, sends %j', async (env, sent) => {
  const spawn = vi.fn<(...call: unknown[]) => EventEmitter>(() => new EventEmitter());
  replaceInNode('node:child_process', { spawn });
  const { notifySystemd } = await import('./notifySystemd.ts');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  notifySystemd(env);
  vi.advanceTimersByTime(4999);
  expect(spawn.mock.calls.length).toBeLessThan(2);
  vi.advanceTimersByTime(10_001);
  const options = { env: { NOTIFY_SOCKET }, stdio: 'ignore' };
  expect(spawn.mock.calls).toEqual(sent.map((arg) => ['/usr/bin/systemd-notify', [arg], options]));
  // One that cannot be started ends nothing.
  for (const { value } of spawn.mock.results) value.emit('error', new Error('ENOENT'));
});

test('the clock of the machine has the time of day, and timers that can be cancelled', () => {
  vi.useFakeTimers({ now: 7 });
  onTestFinished(() => void vi.useRealTimers());
  const call = vi.fn<(timer: number) => void>();
  const [, cancel] = [1, 2, 3].map((timer) => systemClock.after(timer, () => call(timer)));
  cancel?.();
  vi.advanceTimersByTime(3);
  vi.setSystemTime(1e9);
  expect([systemClock.wall(), systemClock.monotonic() < 1e9]).toEqual([1e9, true]);
  expect(call.mock.calls).toEqual([[1], [3]]);
});

test('closes the files that the process inherited, but not its streams, those of Node, and the socket to the helper', async () => {
  const flags = new Map(Object.entries({ 0: '02', 1: '02', 2: '02', 3: '02', 7: '02100002', 8: '0100002' }));
  const closeSync = vi.fn<(fd: number) => void>();
  const readFileSync = (path: string) => {
    if (!flags.has(basename(path))) throw new Error('ENOENT');
    return `pos:\t0\nflags:\t${flags.get(basename(path))}\nmnt_id:\t1\n`;
  };
  replaceInNode('node:fs', { closeSync, readFileSync, readdirSync: () => [...flags.keys(), '9'] });
  const { closeInheritedFiles } = await import('./privileges.ts');
  for (const helper of [3, undefined]) closeInheritedFiles(helper);
  expect(closeSync.mock.calls).toEqual([[8], [3], [8]]);
});

test.each<[string, boolean, (...of: unknown[]) => number | undefined, number]>([
  ['a file', false, nothing, 2],
  // O_WRONLY, O_NONBLOCK and O_NOCTTY.
  ['a terminal, without blocking', true, (...of) => (of.join() === '/proc/self/fd/2,2305' ? 7 : 8), 7],
  ['a terminal that it must not open', true, () => expect.fail('EACCES'), 2],
])('writes to %s, and drops what cannot be written', async (...[, isTerminal, openSync, fd]) => {
  const writeSync = vi.fn<(...call: unknown[]) => number>(() => expect.fail('ENOSPC'));
  replaceInNode('node:fs', { fstatSync: () => noPipe, openSync, writeSync });
  replaceInNode('node:tty', { isatty: (of: number) => of === 2 && isTerminal });
  (await import('./stderrWriter.ts')).createStderrWriter()('a line');
  expect(writeSync.mock.calls).toEqual([[fd, 'a line']]);
});

const listeners = () => [process.stdout, process.stderr].map((stream) => stream.listenerCount('error'));

test('the log of the helper is written at once; that of the command after 200 ms, when it has 4096 characters, or when it is flushed; drops lines while more than 1 MiB waits for the reader of a pipe, and does not end when it has closed the pipe', async () => {
  const pipes = [true, false];
  const stats = (isFifo = pipes.pop() ?? true) => ({ isFIFO: () => isFifo, isSocket: () => !isFifo });
  replaceInNode('node:fs', { fstatSync: () => stats() });
  const { createStderrWriter, createHelperLog } = await import('./stderrWriter.ts');
  vi.useFakeTimers({ now: 7 });
  const { createLogger } = await import('./logger.ts');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const waiting = vi.spyOn(process.stderr, 'writableLength', 'get');
  onTestFinished(() => {
    vi.useRealTimers();
    written.mockRestore();
    waiting.mockRestore();
  });
  const before = listeners();
  const write = createStderrWriter();
  // An error event without a listener would end the process.
  expect(listeners()).toEqual(before.map((count) => count + 1));
  for (const [line, length] of Object.entries({ first: 0, dropped: 2 ** 20, last: 2 ** 20 - 1 })) {
    waiting.mockReturnValue(length);
    write(line);
  }
  const lines = () => written.mock.calls.splice(0).flat();
  expect(lines()).toEqual(['first', 'last']);
  createHelperLog()('warn', 'lost', { detail: 'x' });
  const { logger, flush } = createLogger(false);
  expect(lines()).toEqual(['{"level":40,"time":7,"name":"hostauth-helper","detail":"x","msg":"lost"}\n']);
  for (const pass of [() => vi.advanceTimersByTime(200), flush, () => logger.flush()]) {
    vi.setSystemTime(7);
    for (const msg of ['a', 'b']) logger.info(msg);
    expect(lines()).toEqual([]);
    pass();
    const line = '{"level":30,"time":7,"name":"hostauth","msg":"a"}\n';
    expect(lines()).toEqual([line + line.replace('a"}', 'b"}')]);
  }
  logger.info('x'.repeat(4096));
  createLogger(true).logger.info('seen');
  expect(lines().join('')).toMatch(/^.*x{4096}"\}\n.*INFO\S* \S*seen\S*\n$/);
});
