import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isOutgoingCategory } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../engine/frames.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { type Tally, replayApp, replayParley, rounded, tally } from './measuredReplays.ts';

/** The maximum number of parts of a series over time. */
const PARTS = 600;

interface Options {
  /** The time during which more updates than this waited is measured. */
  readonly over: number;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: SessionAdapter | undefined;
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

/** Counts the records, and the frames on the wire. */
function watchTraffic() {
  const records: Tally = {};
  const categories: Tally = {};
  const bytes = { received: 0, sent: 0 };
  const frames = bySecond((a, b) => a + b);
  let received = 0;
  return {
    take(record: CaptureRecord) {
      tally(records, record.type);
      if (!isKnown(record)) return;
      if (record.type === 'send') {
        bytes.sent += sizeOf(record);
        tally(categories, categoryOf(record));
      } else if (record.type === 'recv') {
        bytes.received += sizeOf(record);
        received++;
        frames.add(record.t, 1);
      }
    },
    records,
    /** The client's frames by category (spec §2.3). */
    categories,
    bytes,
    /** Received frames over time. */
    frames,
    /** Received frames per second: the mean of the session, and the highest second. */
    rate: (durationMs: number) => ({
      meanPerSecond: durationMs === 0 ? 0 : rounded((received * 1000) / durationMs),
      maxPerSecond: frames.highest(),
    }),
  };
}

const sizeOf = (record: FrameRecord): number =>
  record.encoding === 'base64' ? Buffer.byteLength(record.data, 'base64') : frameBytes(record);

/** Returns an outgoing frame's category; `other` when it is not one of the specification. */
function categoryOf({ data, encoding }: FrameRecord): string {
  if (encoding === 'base64') return 'other';
  const category = /^\{"category":"(\w+)"/u.exec(data)?.[1] ?? '';
  return isOutgoingCategory(category) ? category : 'other';
}

/** Measures how many updates wait. The changes must come in order of time. */
function watchQueue(limit: number) {
  const seconds = bySecond(Math.max);
  const delays: number[] = [];
  let depth = 0;
  let changedAt = 0;
  let highest = { depth: 0, atMs: 0 };
  let overMs = 0;
  const change = (by: 1 | -1, ms: number) => {
    if (depth > limit) overMs += ms - changedAt;
    depth += by;
    changedAt = ms;
    seconds.add(ms, depth);
    if (depth > highest.depth) highest = { depth, atMs: ms };
  };
  return {
    received: (ms: number) => change(1, ms),
    released(tick: number, receivedAt: number) {
      delays.push(tick - receivedAt);
      change(-1, tick);
    },
    /** The maximum depth and its time, and for how long more updates than the limit waited. */
    depth: () => ({ max: highest.depth, maxAtMs: highest.atMs, over: limit, overMs }),
    /** The times that updates waited for their tick. */
    delays: () => percentiles(delays),
    seconds,
  };
}

function percentiles(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  /** Returns the smallest value that this share of all values does not exceed; 0 without values. */
  const at = (share: number) => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Measures opens, closes, and the times without frames. */
function watchConnection() {
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

/** A value for each second of a session, merged into fewer parts for a long session. */
interface Series {
  /** The length of a part, milliseconds. */
  readonly everyMs: number;
  readonly values: readonly number[];
}

const SECOND_MS = 1000;
const EVERY_S = [1, 2, 5, 10, 30, 60, 300, 600, 3600, 21_600, 86_400];

/** Collects values by second; `merge` combines the values of one second or part. */
interface Seconds {
  add(ms: number, value: number): void;
  /** The highest value of a second. */
  highest(): number;
  /** Returns the parts up to `ms`; at most `most` (more only for a session of years). */
  series(ms: number, most: number): Series;
}

/** Creates a series with one value for each second; `merge` combines values of the same second. */
function bySecond(merge: (a: number, b: number) => number): Seconds {
  const values = new Map<number, number>();
  const put = (into: Map<number, number>, slot: number, value: number) => {
    const before = into.get(slot);
    into.set(slot, before === undefined ? value : merge(before, value));
  };
  return {
    add: (ms, value) => put(values, Math.floor(ms / SECOND_MS), value),
    highest: () => [...values.values()].reduce((a, b) => Math.max(a, b), 0),
    series(ms, most) {
      const seconds = Math.floor(ms / SECOND_MS) + 1;
      const every = EVERY_S.find((s) => seconds / s <= most) ?? Math.ceil(seconds / most);
      const merged = new Map<number, number>();
      for (const [second, value] of values) put(merged, Math.floor(second / every), value);
      const parts = Array.from({ length: Math.ceil(seconds / every) }, (_, i) => merged.get(i) ?? 0);
      return { everyMs: every * SECOND_MS, values: parts };
    },
  };
}
