import type { Cancel, Clock } from '#shared/time/clock.ts';

const PARTS = 10;

/**
 * Runs `task` after `ms` in which the program could read its sockets. The time is counted in ten parts: a stall of the
 * event loop, however long, counts as one part, so that what arrived meanwhile is read before `task` runs.
 */
export function afterListening(clock: Clock, ms: number, task: () => void): Cancel {
  let left = PARTS;
  const next = (): Cancel =>
    clock.after(ms / PARTS, () => {
      left--;
      if (left === 0) task();
      else cancel = next();
    });
  let cancel = next();
  return () => cancel();
}
