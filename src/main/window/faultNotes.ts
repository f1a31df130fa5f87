import { fileErrorReason, isDiskFull } from '#files/fileErrorReason.ts';
import type { Notices } from './notices.ts';

/** The parts that pause while their file cannot be written. */
type PausedPart = 'log' | 'recording';

/** Notes for the person about files that cannot be written. */
export interface FaultNotes {
  /** The part cannot be written; it retries by itself. */
  paused(part: PausedPart, error: unknown): void;
  /** The part is written again. */
  resumed(part: PausedPart): void;
  /** The part has ended, written or not. */
  ended(part: PausedPart): void;
}

/** The note while the disk is full. */
export const DISK_FULL =
  'The disk is full: the log and recordings are paused. Free some space, and they continue.';
const CONTINUED = 'Files can be written again: the log and recordings continue.';

/**
 * Shows a note once when the disk is full, whichever part notices it, and once when all parts are written again. A
 * recording that is paused for another reason gets a separate note; a log does not.
 */
export function createFaultNotes({ notify, resolve }: Pick<Notices, 'notify' | 'resolve'>): FaultNotes {
  const paused = new Map<PausedPart, string>();
  return {
    paused(part, error) {
      const isFull = isDiskFull(error);
      if (!isFull && part === 'log') return;
      const text = isFull ? DISK_FULL : recordingPaused(error);
      const isKnown = [...paused.values()].includes(text);
      paused.set(part, text);
      if (!isKnown) notify(text);
    },
    ended: (part) => void paused.delete(part),
    resumed(part) {
      if (paused.delete(part) && paused.size === 0) resolve(CONTINUED);
    },
  };
}

const recordingPaused = (error: unknown) =>
  `Recording is paused: ${fileErrorReason(error)}. It continues when the file can be written.`;
