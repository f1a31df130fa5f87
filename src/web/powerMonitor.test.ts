import { expect, it, vi } from 'vitest';
import { HostPowerMonitor } from './powerMonitor.ts';

/** A machine whose clock the test turns: awake it looks each 250 ms; asleep nothing runs, and the time of day goes on. */
function machine() {
  let now = 1_000_000;
  let cpu = 0;
  const tasks: (() => void)[] = [];
  const monitor = new HostPowerMonitor({
    now: () => now,
    cpuTime: () => cpu,
    every: (ms, task) => {
      expect(ms).toBe(250);
      tasks.push(task);
    },
  });
  const resumed = vi.fn<() => void>();
  return {
    monitor,
    resumed,
    tasks,
    /** So much time passes until the next look, and the process used that much of the processor. */
    pass(ms: number, used = 0) {
      now += ms;
      cpu += used;
      for (const task of tasks) task();
    },
  };
}

it('awake, and busy for a moment, says nothing', () => {
  const { monitor, resumed, pass } = machine();
  monitor.on('resume', resumed);
  for (const ms of [250, 260, 1900, 2000, 250]) pass(ms);
  expect(resumed).not.toHaveBeenCalled();
});

it('busy for seconds, also on a processor that it shares, says nothing', () => {
  const { monitor, resumed, pass } = machine();
  monitor.on('resume', resumed);
  pass(5000, 5000);
  pass(30_000, 9000);
  expect(resumed).not.toHaveBeenCalled();
  pass(5000, 300);
  expect(resumed).toHaveBeenCalledTimes(1);
});

it('asleep for five seconds or a night, resumes once each time, at the first look', () => {
  const { monitor, resumed, pass } = machine();
  monitor.on('resume', resumed);
  pass(5000);
  expect(resumed).toHaveBeenCalledTimes(1);
  pass(250);
  pass(8 * 3_600_000);
  expect(resumed).toHaveBeenCalledTimes(2);
});

it('a clock that was set back, says nothing and goes on from there', () => {
  const { monitor, resumed, pass } = machine();
  monitor.on('resume', resumed);
  pass(-3_600_000);
  pass(250);
  expect(resumed).not.toHaveBeenCalled();
  pass(3000);
  expect(resumed).toHaveBeenCalledTimes(1);
});

it('heard by nobody, does not look; by two, looks once', () => {
  const { monitor, resumed, tasks } = machine();
  expect(tasks).toEqual([]);
  monitor.on('resume', resumed).on('resume', () => {});
  expect(tasks).toHaveLength(1);
});

it('asked for what it does not have, throws by name', () => {
  expect(() => Reflect.get(machine().monitor, 'isOnBatteryPower')).toThrow(
    'electron.powerMonitor.isOnBatteryPower is not available in the web host',
  );
});
