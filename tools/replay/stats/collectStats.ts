import type { CaptureRecord } from '#shared/capture/format.ts';
import { createFold } from '../engine/createFold.ts';
import { observeUpdates } from '../engine/observeUpdates.ts';
import { watchActs } from './watchActs.ts';
import { watchConnection } from './watchConnection.ts';
import { rounded, watchQueue } from './watchQueue.ts';
import { type Tally, tally, watchTraffic } from './watchTraffic.ts';

/** The maximum number of parts of a series over time. */
const PARTS = 600;

interface Options {
  /** The time during which more updates than this waited is measured. */
  readonly over: number;
}

/** Collects the numbers of a session from its records. Times are milliseconds since the launch. */
export function collectStats({ over }: Options) {
  const kinds: Tally = {};
  const traffic = watchTraffic();
  const queue = watchQueue(over);
  const connection = watchConnection();
  const acts = watchActs();
  let now = 0;
  const fold = createFold({
    code: observeUpdates(({ kind }) => {
      tally(kinds, kind);
      queue.received(now);
    }),
    onStep: ({ tick, receivedAt }) => queue.released(tick, receivedAt),
  });

  return {
    /** Returns `false` after the end of the session. */
    take(record: CaptureRecord): boolean {
      now = record.t;
      traffic.take(record);
      connection.take(record);
      acts.take(record);
      return fold.take(record);
    },
    finish() {
      const { counts, virtualMs } = fold.finish();
      const { received, sent, rejected, applied, ignored, dropped } = counts;
      const durationMs = rounded(Math.max(now, virtualMs));
      const { everyMs, values } = traffic.frames.series(durationMs, PARTS);
      return {
        durationMs,
        records: traffic.records,
        frames: {
          received: { count: received, bytes: traffic.bytes.received },
          sent: { count: sent, bytes: traffic.bytes.sent },
          dropped,
          rejected,
        },
        kinds: { received: kinds, sent: traffic.categories },
        updates: { applied, ignored },
        ...acts.counts(),
        rate: traffic.rate(durationMs),
        queue: { ...queue.depth(), delayMs: queue.delays() },
        longestGap: connection.longestGap(),
        connection: connection.connection(),
        overTime: { everyMs, frames: values, queueDepth: queue.seconds.series(durationMs, PARTS).values },
      };
    },
  };
}

/** The statistics of a capture. */
export type Stats = ReturnType<ReturnType<typeof collectStats>['finish']>;
