import { ElectronEmitter } from './electronEmitter.ts';

interface PowerEvents {
  resume: [];
  newListener: [event: string | symbol, listener: unknown];
}

/** The clocks that show whether the machine was asleep, in milliseconds. */
export interface SleepClocks {
  /** The time of day: it continues while the machine sleeps. */
  readonly now: () => number;
  /** A clock that stops only while the machine sleeps; `undefined` where the system has none. */
  readonly awakeTime?: (() => number) | undefined;
  /** The processor time that this process has used. */
  readonly cpuTime: () => number;
}

interface PowerDeps extends SleepClocks {
  /** Runs a task every `ms` while this process is awake, until it ends. */
  readonly every: (ms: number, task: () => void) => void;
}

/** The interval of the checks: work that begins at a resume must be done within 2 s. */
const CHECK_MS = 250;
/** A longer difference is a sleep. */
const SLEEP_MS = 2000;
/** Without `awakeTime`: a process that used more than this part of the time was busy, not asleep. */
const BUSY = 0.25;

/**
 * Electron's `powerMonitor`. It compares the time of day with a clock that stops during a sleep. A stalled event loop, a
 * process without processor time and one that was stopped by a signal are not a sleep: both clocks continue. Where both
 * clocks continue during a sleep, a late check counts as a sleep unless the process was busy. Setting the clock ahead also
 * counts as a resume.
 */
export class HostPowerMonitor extends ElectronEmitter<PowerEvents> {
  #isChecking = false;

  constructor(private readonly deps: PowerDeps) {
    super('powerMonitor');
    // Checks only when there is a listener.
    this.on('newListener', (event) => {
      if (event === 'resume') this.#startChecks();
    });
  }

  #startChecks(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    let last = readClocks(this.deps);
    this.deps.every(CHECK_MS, () => {
      const current = readClocks(this.deps);
      const slept = sleepBetween(last, current);
      last = current;
      if (slept > SLEEP_MS) this.emit('resume');
    });
  }
}

const readClocks = ({ now, awakeTime, cpuTime }: SleepClocks) => ({
  time: now(),
  awake: awakeTime?.(),
  cpu: cpuTime(),
});

type Reading = ReturnType<typeof readClocks>;

/** Returns how long the machine was asleep between two readings, in milliseconds. */
function sleepBetween(last: Reading, current: Reading): number {
  const passed = current.time - last.time;
  if (last.awake !== undefined && current.awake !== undefined) return passed - (current.awake - last.awake);
  return current.cpu - last.cpu > passed * BUSY ? 0 : passed;
}
