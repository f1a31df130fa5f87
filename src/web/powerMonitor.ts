import { ElectronEmitter } from './electronEmitter.ts';

interface PowerEvents {
  resume: [];
  newListener: [event: string | symbol, listener: unknown];
}

interface PowerDeps {
  /** The time of day, in milliseconds: it goes on while the machine sleeps. */
  readonly now: () => number;
  /** Runs a task each `ms` of the time that this process is awake, until the process ends. */
  readonly every: (ms: number, task: () => void) => void;
}

/** Looked at so often: what begins with a resume must be done within 2 s. */
const LOOK_MS = 250;
/** A jump over more than this is a sleep; a busy moment of the process is shorter. */
const JUMP_MS = 2000;

/**
 * Electron's `powerMonitor`, as far as a process can tell by itself: the time of day jumps on when a machine, or the
 * process, was stopped and goes on. Somebody who sets the clock ahead makes it say so, too.
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
    let last = this.deps.now();
    this.deps.every(LOOK_MS, () => {
      const now = this.deps.now();
      const slept = now - last > JUMP_MS;
      last = now;
      if (slept) this.emit('resume');
    });
  }
}
