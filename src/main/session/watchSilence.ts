import { PEER_SILENCE_MS } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import { afterResponsiveTime } from '../base/afterResponsiveTime.ts';

/** The end of the 10 s: during this time the program must have been able to read. */
const LAST_MS = 1000;

/** Detects a peer that sends nothing at all. */
export interface SilenceWatch {
  /** Data arrived: the time starts again. */
  onData(): void;
  /** The socket is paused: silence is not measured until `resume`. */
  suspend(): void;
  /** The socket is read again: the time starts again. */
  resume(): void;
  stop(): void;
}

/**
 * Calls `onSilent` once when no data arrived for 10 s (contract §5). Uses one timer however much data arrives: it
 * checks again when it fires.
 */
export function watchSilence(clock: Clock, onSilent: () => void): SilenceWatch {
  let lastDataAt = clock.now();
  let isSuspended = false;

  const check = () => {
    if (isSuspended) lastDataAt = clock.now();
    const left = lastDataAt + PEER_SILENCE_MS - LAST_MS - clock.now();
    if (left > 0) cancel = clock.after(left, check);
    else checkAtEnd(lastDataAt);
  };
  // The last second is measured in responsive time: after a stall the peer's pongs wait to be read.
  const checkAtEnd = (since: number) => {
    cancel = afterResponsiveTime(clock, LAST_MS, () => {
      if (lastDataAt > since || isSuspended) check();
      else onSilent();
    });
  };
  let cancel = clock.after(PEER_SILENCE_MS - LAST_MS, check);

  return {
    onData() {
      lastDataAt = clock.now();
    },
    suspend() {
      isSuspended = true;
    },
    resume() {
      isSuspended = false;
      lastDataAt = clock.now();
    },
    stop: () => cancel(),
  };
}
