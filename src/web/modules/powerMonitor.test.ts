import { describe, expect, it, vi } from 'vitest';
import { HostPowerMonitor } from './powerMonitor.ts';

interface Passed {
  /** The time of day, in milliseconds. */
  readonly time: number;
  /** The time that the machine was awake; by default all of it. */
  readonly awake?: number;
  /** The processor time that the process used. */
  readonly cpu?: number;
}

/** Simulates a machine with virtual clocks, and a listener. `hasAwakeTime`: one clock stops while the machine sleeps. */
function machine({ hasAwakeTime = true } = {}) {
  const clocks = { now: 1_000_000, awake: 5000, cpu: 0 };
  const tasks: (() => void)[] = [];
  const monitor = new HostPowerMonitor({
    now: () => clocks.now,
    awakeTime: hasAwakeTime ? () => clocks.awake : undefined,
    cpuTime: () => clocks.cpu,
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
    /** Advances the clocks to the next check. */
    pass({ time, awake = time, cpu = 0 }: Passed) {
      clocks.now += time;
      clocks.awake += awake;
      clocks.cpu += cpu;
      for (const task of tasks) task();
    },
  };
}

describe('with a clock that stops during a sleep', () => {
  it('emits nothing after a stall, whatever processor time the process got', () => {
    const { monitor, resumed, pass } = machine();
    monitor.on('resume', resumed);
    pass({ time: 250 });
    pass({ time: 5000, cpu: 5000 });
    pass({ time: 12_000, cpu: 600 });
    pass({ time: 30_000, cpu: 0 });
    expect(resumed).not.toHaveBeenCalled();
  });

  it('emits `resume` once, at the first check after a sleep', () => {
    const { monitor, resumed, pass } = machine();
    monitor.on('resume', resumed);
    pass({ time: 5000, awake: 100 });
    expect(resumed).toHaveBeenCalledTimes(1);
    pass({ time: 250 });
    pass({ time: 8 * 3_600_000, awake: 240 });
    expect(resumed).toHaveBeenCalledTimes(2);
  });

  it('emits `resume` after a sleep whose end was busy', () => {
    const { monitor, resumed, pass } = machine();
    monitor.on('resume', resumed);
    pass({ time: 6000, awake: 3000, cpu: 3000 });
    expect(resumed).toHaveBeenCalledTimes(1);
  });

  it('emits `resume` when the clock is set ahead by more than 2 s, but not when it is set back', () => {
    const { monitor, resumed, pass } = machine();
    monitor.on('resume', resumed);
    pass({ time: 250 + 2000, awake: 250 });
    pass({ time: -3_600_000, awake: 250 });
    pass({ time: 250 });
    expect(resumed).not.toHaveBeenCalled();
    pass({ time: 250 + 2001, awake: 250 });
    expect(resumed).toHaveBeenCalledTimes(1);
  });
});

describe('with clocks that all continue during a sleep', () => {
  it('emits nothing while the process is on time, or busy, also on a shared processor', () => {
    const { monitor, resumed, pass } = machine({ hasAwakeTime: false });
    monitor.on('resume', resumed);
    for (const time of [250, 260, 1900, 2000, 250]) pass({ time });
    pass({ time: 5000, cpu: 5000 });
    pass({ time: 30_000, cpu: 9000 });
    expect(resumed).not.toHaveBeenCalled();
  });

  it('emits `resume` after a late check when the process was not busy', () => {
    const { monitor, resumed, pass } = machine({ hasAwakeTime: false });
    monitor.on('resume', resumed);
    pass({ time: 5000, cpu: 300 });
    expect(resumed).toHaveBeenCalledTimes(1);
    pass({ time: 250 });
    pass({ time: -3_600_000 });
    expect(resumed).toHaveBeenCalledTimes(1);
    pass({ time: 8 * 3_600_000 });
    expect(resumed).toHaveBeenCalledTimes(2);
  });
});

it('checks the clocks once for any number of listeners, and not without one', () => {
  const { monitor, resumed, tasks } = machine();
  expect(tasks).toEqual([]);
  monitor.on('resume', resumed).on('resume', () => {});
  expect(tasks).toHaveLength(1);
});

it('throws an error with the name of what it does not have', () => {
  expect(() => Reflect.get(machine().monitor, 'isOnBatteryPower')).toThrow(
    'electron.powerMonitor.isOnBatteryPower is not available in the web host',
  );
});
