import { RESUME_PONG_MS } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { afterResponsiveTime } from '../base/afterResponsiveTime.ts';

/** Detects a peer that disappeared while the machine was asleep. */
export interface ResumeWatch {
  /** Returns the payload of every ping; pongs return it. */
  mark(): string;
  /** The machine resumed from sleep. */
  onResume(): void;
  /** A pong with this payload arrived. */
  onPong(mark: string): void;
  stop(): void;
}

interface Peer {
  readonly ping: () => void;
  readonly terminate: () => void;
}

/**
 * Checks a connection after the machine was asleep, because it may look open and be dead: pings at once, and terminates the
 * connection when no pong arrives:
 *
 *     trusted ── onResume: a ping at once ──▶ in doubt ── 1000 ms without its pong ──▶ terminated
 *        ▲                                   │
 *        └────────── its pong ───────────────┘
 *
 * A pong from before the sleep may arrive late, so each check has its own payload.
 */
export function watchResume(clock: Clock, { ping, terminate }: Peer): ResumeWatch {
  let checks = 0;
  let cancel: Cancel | undefined;
  const mark = () => (checks === 0 ? '' : String(checks));
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    mark,
    onResume() {
      stop();
      checks++;
      cancel = afterResponsiveTime(clock, RESUME_PONG_MS, terminate);
      ping();
    },
    onPong(seen) {
      if (seen === mark()) stop();
    },
    stop,
  };
}
