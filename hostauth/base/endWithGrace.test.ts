import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { endWithGrace } from './endWithGrace.ts';

const nothing = () => undefined;

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

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ends with 0 after %s, when the work is complete',
  async (signal) => {
    const { events, exit, end, work } = scene();
    events.emit(signal, signal);
    expect([end.mock.calls.length, exit.mock.calls.length]).toEqual([1, 0]);
    work.complete();
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]), POLLING);
  },
);

test('ignores signals that follow the first one, and always listens to them', async () => {
  const { events, exit, end, error, work } = scene();
  events.emit('SIGTERM', 'SIGTERM');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM']) {
    // Without a listener the signal would end the process at once.
    expect(events.emit(signal, signal)).toBe(true);
  }
  expect([end.mock.calls.length, exit.mock.calls, error.mock.calls]).toEqual([1, [], []]);
  work.complete();
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]), POLLING);
});

test('listens to a signal at every moment of its change of listeners', () => {
  const { events } = scene();
  const counts: number[] = [];
  events.on('removeListener', (name) => name === 'SIGTERM' && counts.push(events.listenerCount('SIGTERM')));
  events.emit('SIGTERM', 'SIGTERM');
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

test('logs an error that nothing caught, completes the work and ends with 1', async () => {
  const { events, exit, error, work } = scene();
  const fault = new Error('a fault');
  events.emit('uncaughtException', fault);
  expect(error.mock.calls).toEqual([[fault]]);
  work.complete();
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]), POLLING);
});

test('logs an error of the work and ends with 1', async () => {
  const { events, exit, error, work } = scene();
  events.emit('SIGTERM', 'SIGTERM');
  const fault = new Error('a fault');
  work.fail(fault);
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]), POLLING);
  expect(error.mock.calls).toEqual([[fault]]);
});
