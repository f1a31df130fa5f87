import { createHash } from 'node:crypto';
import type { Cancel } from '#shared/clock.ts';
import { seededRandom } from './seededRandom.ts';

/** Random choices from a seed. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Returns random choices that depend on the seed and the name of who makes them. */
export function randomOf(seed: number, name: string): Random {
  const next = seededRandom(createHash('md5').update(`${seed} ${name}`).digest().readInt32LE());
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    chance: (probability) => next() < probability,
    pick<T>(from: readonly T[]): T {
      const value = from[below(from.length)];
      if (value === undefined) throw new Error('there is nothing to pick');
      return value;
    },
  };
}

/** What the checks found: the number of the check, and a sentence. */
export interface Failure {
  readonly check: number;
  readonly text: string;
  /** Virtual milliseconds since the start of the history. */
  readonly at: number;
}

/** The events of a turn of Node's loop. */
const TURN = 64;

interface Event {
  at: number;
  order: number;
  readonly owner: Party;
  task: (() => void) | undefined;
}

/** How long a history takes, virtual milliseconds. */
export const HISTORY_MS = 60_000;

/** The history's first moment: a Thursday. */
export const EPOCH = Date.UTC(2026, 0, 1, 9);

const nothing = () => undefined;

/**
 * The virtual world of one history: time, the order of events, and what was found. Time advances from event to event; after each event every promise that can
 * settle has settled, before the next one runs. So the order of everything depends on the seed alone.
 */
export class World {
  readonly failures: Failure[] = [];
  /** The number of injected faults, by kind. */
  readonly faults = new Map<string, number>();
  /** The number of actions that main and the windows dispatched, by type. */
  readonly coverage = new Map<string, number>();
  #ids = 0;
  #now = 0;
  #order = 0;
  /** The next one is the last. */
  readonly #events: Event[] = [];
  #hash = 0x811c9dc5;
  #current: Party | undefined;
  /** The newest notes, for a failure. */
  readonly notes: string[] = [];

  constructor(readonly seed: number) {}

  now = (): number => this.#now;

  /** Returns 1, 2, … */
  nextId = (): number => ++this.#ids;

  randomOf = (name: string): Random => randomOf(this.seed, name);

  /** Adds a text to the history's hash. */
  trace(text: string): void {
    let hash = this.#hash ^ Math.round(this.#now * 1000);
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    this.#hash = hash;
  }

  /** Adds a line to the trace and to the notes. */
  note(text: string): void {
    this.trace(text);
    this.notes.push(`${(this.#now / 1000).toFixed(3)} ${text}`);
    if (this.notes.length > 400) this.notes.shift();
  }

  /** Returns 8 hexadecimal digits of everything that happened. */
  hash = (): string => (this.#hash >>> 0).toString(16).padStart(8, '0');

  /** Notes an injected fault. */
  fault(kind: string, about = ''): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.note(`fault: ${kind} ${about}`);
  }

  fail(check: number, text: string): void {
    this.note(`FAILED check ${check}: ${text}`);
    if (this.failures.length < 10) this.failures.push({ check, text, at: this.#now });
  }

  /** Runs a task after `ms`, unless its owner was killed. An owner that is stalled runs it when it continues. */
  schedule(owner: Party, ms: number, task: () => void): Cancel {
    const event: Event = { at: this.#now + Math.max(0, ms), order: this.#order++, owner, task };
    this.#push(event);
    owner.waiting++;
    return () => {
      if (event.task !== undefined) owner.waiting--;
      event.task = undefined;
    };
  }

  /**
   * Runs the events until `end`; resolves earlier when a check has failed. Every promise that can settle has settled before the
   * next event: Node sees to it between two immediates, of which a turn of its loop runs many.
   */
  run(end: number): Promise<void> {
    return new Promise((resolve) => {
      let hasNext = true;
      const turn = () => {
        if (!hasNext) return resolve();
        for (let count = 0; count < TURN; count++) setImmediate(() => void (hasNext &&= this.#runNext(end)));
        setImmediate(turn);
      };
      turn();
    });
  }

  /** Runs the next event. Returns false when there is none until `end`, or a check has failed. */
  #runNext(end: number): boolean {
    if (this.failures.length > 0) return false;
    const event = this.#events.at(-1);
    if (event === undefined || event.at > end) {
      this.#now = Math.max(this.#now, end);
      return false;
    }
    this.#events.pop();
    const { owner, task, at } = event;
    if (task === undefined || !owner.isAlive) return true;
    if (owner.busyUntil > at) {
      this.#push(Object.assign(event, { at: owner.busyUntil, order: this.#order++ }));
      return true;
    }
    event.task = undefined;
    owner.waiting--;
    this.#now = Math.max(this.#now, at);
    this.#current = owner;
    owner.attempt(task);
    return true;
  }

  /** An error reached the top of the process: an uncaught exception or an unhandled rejection. */
  uncaught(error: unknown): void {
    this.#current?.uncaught(error);
  }

  #push(event: Event): void {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#events[middle];
      if (other !== undefined && isBefore(event, other)) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** The end of a process, where a function of it cannot return. Nobody catches it. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
}

/** A process of the simulated machine, or a part of the world. Nothing of a killed party runs any more, and nothing answers it. */
export class Party {
  isAlive = true;
  /** The number of its timers and messages that wait. */
  waiting = 0;
  /** The time until which its event loop is stalled. */
  busyUntil = 0;
  /** Called with an error that nothing caught. */
  onUncaught: (error: unknown) => void;
  readonly random: Random;
  readonly #ends: (() => void)[] = [];

  constructor(
    readonly world: World,
    readonly name: string,
  ) {
    this.random = world.randomOf(name);
    this.onUncaught = (error) => world.fail(5, `${name}: nothing caught ${describeError(error)}`);
  }

  schedule = (ms: number, task: () => void): Cancel =>
    this.isAlive ? this.world.schedule(this, ms, task) : nothing;

  /** Runs a task when the party is killed. */
  onEnd = (task: () => void): void => void this.#ends.push(task);

  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const task of this.#ends) task();
  }

  stall(ms: number): void {
    this.busyUntil = Math.max(this.busyUntil, this.world.now() + ms);
  }

  /** Runs a task now; its error is that of the party. */
  attempt(task: () => void): void {
    if (!this.isAlive) return;
    try {
      task();
    } catch (error) {
      this.uncaught(error);
    }
  }

  uncaught(error: unknown): void {
    if (this.isAlive && !(error instanceof ExitError)) this.onUncaught(error);
  }
}

/** Returns an error's stack, or what else was thrown. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
