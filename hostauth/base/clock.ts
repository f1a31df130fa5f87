import { performance } from 'node:perf_hooks';

/** Time in milliseconds, passed in so that tests control it. */
export interface Clock {
  /** Milliseconds that never go backwards: for durations and timeouts. */
  monotonic(): number;
  /** Milliseconds since 1970: for times that people and other programs read. */
  wall(): number;
  /** Calls once, after `ms`. The timer does not keep the process alive. Returns the function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`. */
export const pause = (clock: Pick<Clock, 'after'>, ms: number) =>
  new Promise<void>((resolve) => clock.after(ms, resolve));
