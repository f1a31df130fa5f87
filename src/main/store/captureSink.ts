import type { KnownRecord } from '#shared/capture/format.ts';
import type { FrameError } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { Clock } from '#shared/time/clock.ts';

/** Is told what happens in a session, at the moment when it does (contract §6). */
export interface CaptureSink {
  /** A session was launched: what is told from now on belongs to it, and time counts from here. */
  launched(): void;
  /** Something happened. Outside of a session nothing is recorded. */
  record(record: KnownRecord): void;
  /** What the frame that was recorded last has turned out to be. */
  decoded(update: Update | FrameError): void;
  /** The session is over, and its last record told. */
  ended(): void;
}

/**
 * Milliseconds since a session's launch, to the microsecond: more digits would only make captures longer. What is
 * recorded and what the queue counts with is this one reading.
 */
export const sinceLaunch = (clock: Clock, launchedAt: number): number =>
  Math.round((clock.now() - launchedAt) * 1000) / 1000;
