import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { roundTime } from '#shared/clock.ts';
import { createEngine } from '../engine/createEngine.ts';
import { frameBytes } from '../engine/frames.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import type { StatsView, Tally } from '../adapter/toolApp.ts';

/** The maximum number of parts of a series over time. */
const PARTS = 600;

interface Options {
  /** The time during which more updates than this waited is measured. */
  readonly over: number;
  readonly adapter: SessionAdapter;
  readonly view: StatsView;
}

/** Collects the numbers of a session from its records. Times are milliseconds since the launch. What only Parley has is `null` for another app. */
export function collectStats({ over, adapter, view }: Options) {
  const kinds: Tally = {};
  const traffic = watchTraffic(view);
  const queue = watchQueue(over);
  const connection = watchConnection();
  const acts = view.watchActs();
  let now = 0;
  const engine = createEngine(adapter, {
    onUpdate(update) {
      tally(kinds, adapter.kind(update));
      queue.received(now);
    },
    onStep: queue.released,
  });
  return {
    /** Returns `false` after the end of the session. */
    take(record: CaptureRecord): boolean {
      now = record.t;
      traffic.take(record);
      connection.take(record);
      acts.take(record);
      return engine.take(record);
    },
    finish() {
      const state = engine.finish();
      const { received, sent, rejected, applied, ignored } = state.counts;
      const durationMs = roundTime(Math.max(now, state.queue.lastTick));
      const { everyMs, values } = traffic.frames.series(durationMs);
      return {
        durationMs,
        records: traffic.records,
        frames: {
          received: { count: received, bytes: traffic.bytes.received },
          sent: { count: sent, bytes: traffic.bytes.sent },
          dropped: view.droppedOf(state),
          rejected,
        },
        kinds: { received: kinds, sent: view.categoryOf ? traffic.categories : null },
        updates: { applied, ignored },
        ...acts.counts(),
        rate: traffic.rate(durationMs),
        queue: queue.numbers(),
        ...connection.numbers(),
        overTime: { everyMs, frames: values, queueDepth: queue.seconds.series(durationMs).values },
      };
    },
  };
}

/** The statistics of a capture. */
export type Stats = ReturnType<ReturnType<typeof collectStats>['finish']>;

/** Counts the records, and the frames on the wire. */
function watchTraffic({ categoryOf }: StatsView) {
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
        if (categoryOf) tally(categories, categoryOf(record));
      } else if (record.type === 'recv') {
        bytes.received += sizeOf(record);
        received++;
        frames.add(record.t, 1);
      }
    },
    records,
    categories,
    bytes,
    /** Received frames over time. */
    frames,
    /** Received frames per second: the mean of the session, and the highest second. */
    rate: (durationMs: number) => ({
      meanPerSecond: durationMs === 0 ? 0 : roundTime((received * 1000) / durationMs),
      maxPerSecond: frames.highest(),
    }),
  };
}

const sizeOf = (record: FrameRecord): number =>
  record.encoding === 'base64' ? Buffer.byteLength(record.data, 'base64') : frameBytes(record);

/** Measures how many updates wait. The changes must come in order of time. */
function watchQueue(over: number) {
  const seconds = bySecond(Math.max);
  const delays: number[] = [];
  let depth = 0;
  let changedAt = 0;
  let highest = { max: 0, maxAtMs: 0 };
  let overMs = 0;
  const change = (by: 1 | -1, ms: number) => {
    if (depth > over) overMs += ms - changedAt;
    depth += by;
    changedAt = ms;
    seconds.add(ms, depth);
    if (depth > highest.max) highest = { max: depth, maxAtMs: ms };
  };
  return {
    received: (ms: number) => change(1, ms),
    released({ tick, receivedAt }: { readonly tick: number; readonly receivedAt: number }) {
      delays.push(tick - receivedAt);
      change(-1, tick);
    },
    /** The maximum depth and its time, for how long more updates than the limit waited, and the times that updates waited for their tick. */
    numbers: () => ({ ...highest, over, overMs, delayMs: percentiles(delays) }),
    seconds,
  };
}

function percentiles(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  /** Returns the smallest value that this share of all values does not exceed; 0 without values. */
  const at = (share: number) => roundTime(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Measures opens, closes, and the times without frames. */
function watchConnection() {
  const closes: Tally = {};
  let opens = 0;
  let downSince: number | undefined;
  let downMs = 0;
  let lastFrame: number | undefined;
  let longestGap = { ms: 0, fromMs: 0, toMs: 0 };
  return {
    take(record: CaptureRecord) {
      if (!isKnown(record)) return;
      const { t, type } = record;
      if (type === 'open') {
        opens++;
        downMs += t - (downSince ?? t);
        downSince = undefined;
      } else if (type === 'close') {
        tally(closes, record.reason);
        downSince ??= t;
      } else if (type === 'recv') {
        const ms = t - (lastFrame ?? t);
        if (ms > longestGap.ms) longestGap = { ms: roundTime(ms), fromMs: lastFrame ?? t, toMs: t };
        lastFrame = t;
      }
    },
    numbers: () => ({
      /** The longest time without a frame from the platform. */
      longestGap,
      /** Opens after the first are reconnects; `downMs` is the sum of the times from each close to the next open. */
      connection: { opens, reconnects: Math.max(0, opens - 1), closes, downMs: roundTime(downMs) },
    }),
  };
}

const SECOND_MS = 1000;
const EVERY_S = [1, 2, 5, 10, 30, 60, 300, 600, 3600, 21_600, 86_400];

/** Creates a series with one value for each second; `merge` combines values of the same second or part. */
function bySecond(merge: (a: number, b: number) => number) {
  const values = new Map<number, number>();
  const put = (into: Map<number, number>, slot: number, value: number) => {
    const before = into.get(slot);
    into.set(slot, before === undefined ? value : merge(before, value));
  };
  return {
    add: (ms: number, value: number) => put(values, Math.floor(ms / SECOND_MS), value),
    highest: () => [...values.values()].reduce((a, b) => Math.max(a, b), 0),
    /** Returns the parts up to `ms` and their length, milliseconds: at most 600 parts, more only for a session of years. */
    series(ms: number) {
      const seconds = Math.floor(ms / SECOND_MS) + 1;
      const every = EVERY_S.find((s) => seconds / s <= PARTS) ?? Math.ceil(seconds / PARTS);
      const merged = new Map<number, number>();
      for (const [second, value] of values) put(merged, Math.floor(second / every), value);
      const parts = Array.from({ length: Math.ceil(seconds / every) }, (_, i) => merged.get(i) ?? 0);
      return { everyMs: every * SECOND_MS, values: parts };
    },
  };
}

/** Counts a name. */
export const tally = (into: Tally, name: string): void => {
  into[name] = (into[name] ?? 0) + 1;
};
