import type { Cancel, Clock } from '#shared/clock.ts';

const PARTS = 10;

/**
 * Runs `task` after `ms` during which the event loop was responsive. The time is measured in ten parts: a stall of the
 * event loop, however long, counts as one part, so that data that arrived meanwhile is read before `task` runs.
 */
export function afterResponsiveTime(clock: Clock, ms: number, task: () => void): Cancel {
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
