import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notifySystemd } from './notifySystemd.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('sends nothing without systemd', () => {
  const run = vi.fn<(args: readonly string[]) => void>();
  notifySystemd({ WATCHDOG_USEC: '1000000' }, run);
  vi.advanceTimersByTime(10_000);
  expect(run).not.toHaveBeenCalled();
});

test('sends only READY without a watchdog', () => {
  const run = vi.fn<(args: readonly string[]) => void>();
  notifySystemd({ NOTIFY_SOCKET: '/run/systemd/notify' }, run);
  vi.advanceTimersByTime(10_000);
  expect(run.mock.calls).toEqual([[['--ready']]]);
});

test('sends WATCHDOG every 5 s with a watchdog of 10 s', () => {
  const run = vi.fn<(args: readonly string[]) => void>();
  notifySystemd({ NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '10000000' }, run);
  vi.advanceTimersByTime(4999);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_001);
  expect(run.mock.calls.slice(1)).toEqual([[['WATCHDOG=1']], [['WATCHDOG=1']], [['WATCHDOG=1']]]);
});
