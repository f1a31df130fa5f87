import { ElectronEmitter } from './electronEmitter.ts';

interface PowerEvents {
  resume: [];
  newListener: [event: string | symbol, listener: unknown];
}

/** The clocks by which a process finds out that its machine was asleep, in milliseconds. */
export interface SleepClocks {
  /** The time of day: it goes on while the machine sleeps. */
  readonly now: () => number;
  /** A clock that stands still only while the machine sleeps; left out where the system offers none. */
  readonly awakeTime?: (() => number) | undefined;
  /** The processor time that this process has used. */
  readonly cpuTime: () => number;
}

interface PowerDeps extends SleepClocks {
  /** Runs a task each `ms` of the time that this process is awake, until the process ends. */
  readonly every: (ms: number, task: () => void) => void;
}

/** Looked at so often: what begins with a resume must be done within 2 s. */
const LOOK_MS = 250;
/** More than this is a sleep. */
const SLEEP_MS = 2000;
/** Without a clock that stands still: a process that uses more than this part of the time is busy, not asleep. */
const BUSY = 0.25;

/**
 * Electron's `powerMonitor`, as far as a process can tell by itself: the time of day passes, and a clock that stands still
 * during a sleep does not. A stalled event loop, a process that gets no processor and one that was stopped by a signal are
 * no sleep: both clocks go on. Where both go on during a sleep as well, a late look is a sleep unless the process was busy.
 * Setting the clock ahead also counts as a resume.
 */
export class HostPowerMonitor extends ElectronEmitter<PowerEvents> {
  #isLooking = false;

  constructor(private readonly deps: PowerDeps) {
    super('powerMonitor');
    // Looks only for somebody.
    this.on('newListener', (event) => {
      if (event === 'resume') this.#look();
    });
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    let last = readClocks(this.deps);
    this.deps.every(LOOK_MS, () => {
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

/** How long the machine was asleep between two readings, in milliseconds. */
function sleepBetween(last: Reading, current: Reading): number {
  const passed = current.time - last.time;
  if (last.awake !== undefined && current.awake !== undefined) return passed - (current.awake - last.awake);
  return current.cpu - last.cpu > passed * BUSY ? 0 : passed;
}
