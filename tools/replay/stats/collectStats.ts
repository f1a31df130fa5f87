import type { CaptureRecord } from '#shared/capture/format.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { replayApp, replayParley } from './measuredReplays.ts';
import { watchConnection } from './watchConnection.ts';
import { rounded, watchQueue } from './watchQueue.ts';
import { type Tally, tally, watchTraffic } from './watchTraffic.ts';

/** The maximum number of parts of a series over time. */
const PARTS = 600;

interface Options {
  /** The time during which more updates than this waited is measured. */
  readonly over: number;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: AppAdapter | undefined;
}

/** Collects the numbers of a session from its records. Times are milliseconds since the launch. What only Parley has is `null` for another app. */
export function collectStats({ over, adapter }: Options) {
  const kinds: Tally = {};
  const traffic = watchTraffic();
  const queue = watchQueue(over);
  const connection = watchConnection();
  let now = 0;
  const watch = {
    onReceived(kind: string) {
      tally(kinds, kind);
      queue.received(now);
    },
    onReleased: queue.released,
  };
  const replay = adapter === undefined ? replayParley(watch) : replayApp(adapter, watch);

  return {
    /** Returns `false` after the end of the session. */
    take(record: CaptureRecord): boolean {
      now = record.t;
      traffic.take(record);
      connection.take(record);
      return replay.take(record);
    },
    finish() {
      const { received, sent, rejected, applied, ignored, dropped, virtualMs, ...acts } = replay.finish();
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
        kinds: { received: kinds, sent: adapter === undefined ? traffic.categories : null },
        updates: { applied, ignored },
        ...acts,
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
