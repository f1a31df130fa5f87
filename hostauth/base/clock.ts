import { performance } from 'node:perf_hooks';

/** Time, passed in so that tests turn it by hand. All in milliseconds. */
export interface Clock {
  /** Never goes back and knows no summer time: for whatever ends after a while. */
  monotonic(): number;
  /** Since 1970, for what people and other programs read. */
  wall(): number;
  /** Calls once, later. What waits does not keep the process alive. Returns the way to call it off. */
  after(ms: number, call: () => void): () => void;
}

/** The machine's own. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after some time. */
export const pause = (clock: Pick<Clock, 'after'>, ms: number) =>
  new Promise<void>((resolve) => clock.after(ms, resolve));
