import { PEER_SILENCE_MS } from '#shared/limits.ts';
import type { Clock } from '#shared/time/clock.ts';
import { afterListening } from './afterListening.ts';

/** The end of the 10 s, in which the program must have been able to read. */
const LAST_MS = 1000;

/** Watches for a peer that says nothing at all. */
export interface SilenceWatch {
  /** Something came: the time starts anew. */
  heard(): void;
  /** Nobody listens just now: no silence counts until `resume`. */
  suspend(): void;
  /** Somebody listens again: the time starts anew. */
  resume(): void;
  stop(): void;
}

/**
 * Calls `onSilent` once when nothing was heard for 10 s (contract §5). One timer serves however much is heard: it
 * looks again when it fires.
 */
export function watchSilence(clock: Clock, onSilent: () => void): SilenceWatch {
  let lastHeard = clock.now();
  let isSuspended = false;

  const look = () => {
    if (isSuspended) lastHeard = clock.now();
    const left = lastHeard + PEER_SILENCE_MS - LAST_MS - clock.now();
    if (left > 0) cancel = clock.after(left, look);
    else listen(lastHeard);
  };
  // The last second is not judged by the clock alone: after a stall the peer's pongs wait to be read.
  const listen = (since: number) => {
    cancel = afterListening(clock, LAST_MS, () => {
      if (lastHeard > since || isSuspended) look();
      else onSilent();
    });
  };
  let cancel = clock.after(PEER_SILENCE_MS - LAST_MS, look);

  return {
    heard() {
      lastHeard = clock.now();
    },
    suspend() {
      isSuspended = true;
    },
    resume() {
      isSuspended = false;
      lastHeard = clock.now();
    },
    stop: () => cancel(),
  };
}
