import { WAKE_PONG_MS } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { afterListening } from './afterListening.ts';

/** Finds out whether a peer is still there after the machine's sleep. */
export interface WakeWatch {
  /** What every ping carries; pongs carry it back. */
  mark(): string;
  /** The machine was asleep. */
  onResume(): void;
  /** A pong came, with that mark. */
  ponged(mark: string): void;
  stop(): void;
}

interface Peer {
  readonly ping: () => void;
  readonly cut: () => void;
}

/**
 * A sleep that nobody noticed leaves a line that looks open and may be dead:
 *
 *     trusted ── onResume: a ping at once ──▶ in doubt ── 1000 ms without its pong ──▶ cut
 *        ▲                                   │
 *        └────────── its pong ───────────────┘
 *
 * Pongs of before the sleep may have waited in the machine: each doubt has a mark of its own.
 */
export function watchWaking(clock: Clock, { ping, cut }: Peer): WakeWatch {
  let doubts = 0;
  let cancel: Cancel | undefined;
  const mark = () => (doubts === 0 ? '' : String(doubts));
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    mark,
    onResume() {
      stop();
      doubts++;
      cancel = afterListening(clock, WAKE_PONG_MS, cut);
      ping();
    },
    ponged(seen) {
      if (seen === mark()) stop();
    },
    stop,
  };
}
