import { ElectronEmitter } from './electronEmitter.ts';

interface PowerEvents {
  resume: [];
  newListener: [event: string | symbol, listener: unknown];
}

interface PowerDeps {
  /** The time of day, in milliseconds: it goes on while the machine sleeps. */
  readonly now: () => number;
  /** The processor time that this process has used, in milliseconds. */
  readonly cpuTime: () => number;
  /** Runs a task each `ms` of the time that this process is awake, until the process ends. */
  readonly every: (ms: number, task: () => void) => void;
}

/** Looked at so often: what begins with a resume must be done within 2 s. */
const LOOK_MS = 250;
/** A jump over more than this is a sleep, unless the process was busy. */
const JUMP_MS = 2000;
/** A process that is busy uses more than this part of the time, also where it shares the processors with others. */
const BUSY = 0.25;

/**
 * Electron's `powerMonitor`, as far as a process can tell by itself: the time of day jumps on when a machine, or the
 * process, was stopped and goes on. A process that is stopped uses no processor time; one whose event loop is stalled by
 * its own work does. (The monotonic clock cannot tell them apart everywhere: it stands still during a sleep on Linux, and
 * goes on during one on macOS and Windows.) Setting the clock ahead also counts as a resume.
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
    const { now, cpuTime } = this.deps;
    let last = { time: now(), cpu: cpuTime() };
    this.deps.every(LOOK_MS, () => {
      const current = { time: now(), cpu: cpuTime() };
      const passed = current.time - last.time;
      const isBusy = current.cpu - last.cpu > passed * BUSY;
      last = current;
      if (passed > JUMP_MS && !isBusy) this.emit('resume');
    });
  }
}
