import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endWithGrace } from './endWithGrace.ts';
import { notifySystemd } from './notifySystemd.ts';

const nothing = () => undefined;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Calls `endWithGrace` in a process whose events the test emits and whose exit is a mock. */
function scene() {
  const events = new EventEmitter();
  const exit = vi.fn<(code: number) => void>();
  const own = Object.fromEntries(
    (['on', 'once', 'listeners', 'removeListener'] as const).map((name) => [name, events[name].bind(events)]),
  );
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
  for (const isUncaught of [true, false]) {
    const { events, exit, error, work } = scene();
    if (isUncaught) events.emit('uncaughtException', fault);
    else events.emit('SIGTERM', 'SIGTERM');
    if (isUncaught) work.complete();
    else work.fail(fault);
    await settled();
    expect([error.mock.calls, exit.mock.calls]).toEqual([[[fault]], [[1]]]);
  }
});

const NOTIFY_SOCKET = '/run/systemd/notify';
const READY = ['--ready'];
const ALIVE = ['WATCHDOG=1'];

test.each<[Record<string, string>, string[][]]>([
  [{ WATCHDOG_USEC: '1000000' }, []],
  [{ NOTIFY_SOCKET }, [READY]],
  [{ NOTIFY_SOCKET, WATCHDOG_USEC: '10000000' }, [READY, ALIVE, ALIVE, ALIVE]],
])('in 15 s with %j of systemd, sends %j', (env, sent) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const run = vi.fn<(args: readonly string[]) => void>();
  notifySystemd(env, run);
  vi.advanceTimersByTime(4999);
  expect(run.mock.calls.length).toBeLessThan(2);
  vi.advanceTimersByTime(10_001);
  expect(run.mock.calls).toEqual(sent.map((args) => [args]));
});
