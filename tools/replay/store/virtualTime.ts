import { roundTime } from '#shared/clock.ts';
import { type Replacement, dateWith, randomReplacements } from '../engine/replaceGlobals.ts';
import type { StoreClock, StoreDeps } from './storeAdapter.ts';

/** A timer that has not run yet. */
interface Timer {
  /** Milliseconds since the start of the recording. */
  readonly due: number;
  /** What caused it. */
  readonly cause: number | undefined;
  run(): void;
}

/** Timers run at the earliest after this time, as in Node and in browsers: otherwise a timer that starts itself again would stop the time. */
const LEAST_MS = 1;
/** The time between two animation frames. */
const FRAME_MS = 1000 / 60;

/**
 * Creates the time of a replay. It changes only by `next` and `reach`.
 * @param startedAt the start of the recording, milliseconds since 1970.
 * @param cause returns what causes a timer that is started now.
 */
export function createVirtualTime(startedAt: number, cause: () => number | undefined) {
  let now = 0;
  let started = 0;
  /** By number, which is in the order of starting. */
  const timers = new Map<number, Timer>();

  const start = (ms: unknown, run: () => void, id = ++started): number => {
    const due = roundTime(now + Math.max(LEAST_MS, Number(ms) || 0));
    timers.set(id, { due, cause: cause(), run });
    return id;
  };
  const stop = (id?: number) => void timers.delete(Number(id));
  const clock: StoreClock = {
    now: () => Math.floor(startedAt + now),
    setTimeout: (task, ms, ...args) => start(ms, () => task(...args)),
    setInterval(task, ms, ...args) {
      const run = () => {
        // First, because the task may stop the interval.
        start(ms, run, id);
        task(...args);
      };
      const id = start(ms, run);
      return id;
    },
    clearTimeout: stop,
    clearInterval: stop,
  };
  return {
    clock,
    now: () => now,
    /** Starts a timer whose task receives the time since the start of the recording, as `requestAnimationFrame` does. */
    requestFrame: (task: (time: number) => void): number => start(FRAME_MS, () => task(now)),
    /** Returns how many timers have been started. */
    started: () => started,
    /** Takes the first timer that is due until a time, and advances the time to it. */
    next(until: number): Timer | undefined {
      let first: readonly [number, Timer] | undefined;
      for (const entry of timers)
        if (entry[1].due <= until && (first === undefined || entry[1].due < first[1].due)) first = entry;
      if (first === undefined) return undefined;
      timers.delete(first[0]);
      now = Math.max(now, first[1].due);
      return first[1];
    },
    reach(time: number): void {
      now = Math.max(now, time);
    },
  };
}

/** The time of a replay. */
export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** Creates a source of random numbers, which are the same in each replay (mulberry32). */
export function createRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the replacements of the platform's functions for an app that uses them directly. */
export const virtualGlobals = (
  { clock: { now: date, ...timers }, now, requestFrame }: VirtualTime,
  { random, fetch }: Pick<StoreDeps, 'random' | 'fetch'>,
): readonly Replacement[] => [
  [globalThis, 'Date', dateWith(date)],
  [performance, 'now', now],
  ...Object.entries(timers).map(([name, timer]): Replacement => [globalThis, name, timer]),
  [globalThis, 'requestAnimationFrame', requestFrame],
  [globalThis, 'cancelAnimationFrame', timers.clearTimeout],
  [globalThis, 'fetch', fetch],
  ...randomReplacements(random),
];

/** What an app should use instead of functions of the platform. */
const INSTEAD = { setTimeout: 'deps.clock', setInterval: 'deps.clock', fetch: 'deps.fetch' };

/** Returns functions of the platform that report that an app without virtual ones calls them: a replay does not wait for what they do. */
export const reportedGlobals = (warn: (text: string) => void): readonly Replacement[] =>
  Object.entries(INSTEAD).map(([name, instead]): Replacement => {
    const own: unknown = Reflect.get(globalThis, name);
    const reporting = (...given: unknown[]): unknown => {
      warn(
        `the app calls ${name} itself, which is not virtual; it needs ${instead}, or \`globals\` in its adapter`,
      );
      const result: unknown = Reflect.apply(Object(own), globalThis, given);
      // A timer of the app does not keep the command running.
      Object(result).unref?.();
      return result;
    };
    return [globalThis, name, reporting];
  });
