import { EventEmitter } from 'node:events';
import type { Cancel } from '#shared/clock.ts';
import { EPOCH, ExitError, type Party } from './world.ts';

/** A timer of a party, as Node has it. */
class Timer {
  constructor(public cancel: Cancel) {}
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

type Task = (...args: unknown[]) => void;

const clear = (timer: unknown): void => {
  if (timer instanceof Timer) timer.cancel();
};

/** The wall clock of a simulated machine. It may jump; the time of the party's timers does not. */
export interface WallClock {
  offset: number;
}

/** Creates the globals of a party that have to do with time and chance. Timers of a killed party never fire. */
export function timeGlobals(party: Party, wall: WallClock) {
  const { world } = party;
  const today = () => EPOCH + Math.floor(world.now()) + wall.offset;
  class PartyDate extends Date {
    constructor(time: string | number | Date = today()) {
      super(time);
    }
    static override now = today;
  }
  const startedAt = world.now();
  const queueMicrotask = (task: () => void) => void Promise.resolve().then(() => party.attempt(task));
  const setTimeout = (task: Task, ms = 0, ...args: unknown[]) =>
    new Timer(party.schedule(Math.max(1, ms), () => task(...args)));
  const setInterval = (task: Task, ms = 0, ...args: unknown[]) => {
    const next = () => party.schedule(Math.max(1, ms), run);
    const run = () => {
      timer.cancel = next();
      task(...args);
    };
    const timer = new Timer(next());
    return timer;
  };
  const setImmediate = (task: Task, ...args: unknown[]) => new Timer(party.schedule(0, () => task(...args)));
  return {
    Date: PartyDate,
    Math: Object.assign(Object.create(Math), { random: party.random.next }),
    performance: { now: () => world.now() - startedAt, timeOrigin: EPOCH },
    queueMicrotask,
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

interface ProcessOptions {
  readonly party: Party;
  readonly pid: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Receives what is written to stderr. */
  readonly stderr: (text: string) => void;
  /** Returns whether a process with this number runs. */
  readonly isRunning: (pid: number) => boolean;
}

/** Creates a party's `process`. Its `exit` kills the party. */
export function partyProcess({ party, pid, environment, stderr, isRunning }: ProcessOptions) {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const stream = Object.assign(new EventEmitter(), { isTTY: false, writableLength: 0, write: stderr });
  const exit = (code = 0) => {
    if (party.isAlive) events.emit('exit', code);
    party.kill();
    throw new ExitError(`exit ${code}`);
  };
  return Object.assign(events, {
    env: environment,
    argv: ['node', 'main.js'],
    platform: 'linux',
    pid,
    ppid: 1,
    versions: { node: '20.20.0' },
    execPath: '/usr/bin/node',
    stdout: stream,
    stderr: stream,
    exit,
    cwd: () => '/',
    getuid: () => 1000,
    kill(other: number) {
      if (isRunning(other)) return true;
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    },
    nextTick: (task: Task, ...args: unknown[]) =>
      void Promise.resolve().then(() => party.attempt(() => task(...args))),
    emitWarning: () => undefined,
    memoryUsage: () => ({ heapUsed: 0, rss: 0 }),
  });
}
