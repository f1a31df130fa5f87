import type { CaptureRecord } from '#shared/capture/format.ts';
import { isKnown } from '#shared/capture/format.ts';
import { rounded } from './watchQueue.ts';

/** Measures opens, closes, and the times without frames. */
export function watchConnection() {
  const closes: Record<string, number> = {};
  let opens = 0;
  let downSince: number | undefined;
  let downMs = 0;
  let lastFrame: number | undefined;
  let longest = { ms: 0, fromMs: 0, toMs: 0 };
  return {
    take(record: CaptureRecord) {
      if (!isKnown(record)) return;
      const { t, type } = record;
      if (type === 'open') {
        opens++;
        if (downSince !== undefined) downMs += t - downSince;
        downSince = undefined;
      } else if (type === 'close') {
        closes[record.reason] = (closes[record.reason] ?? 0) + 1;
        downSince ??= t;
      } else if (type === 'recv') {
        const ms = t - (lastFrame ?? t);
        if (ms > longest.ms) longest = { ms: rounded(ms), fromMs: lastFrame ?? t, toMs: t };
        lastFrame = t;
      }
    },
    /** Opens after the first are reconnects; `downMs` is the sum of the times from each close to the next open. */
    connection: () => ({ opens, reconnects: Math.max(0, opens - 1), closes, downMs: rounded(downMs) }),
    /** The longest time without a frame from the platform. */
    longestGap: () => longest,
  };
}
