import { z } from 'zod';
import { type CaptureHeader, type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { roundTime } from '#shared/clock.ts';
import { captureField, field, jsonRow, shapeVersion } from '../base/jsonDocument.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { wireBytes } from '../inspector/model/trace/steps.ts';
import type { StatsView, Tally } from '../adapter/toolApp.ts';

const TRAFFIC = { count: field.number('their number'), bytes: field.number('their size on the wire') };
const WINDOWS = {
  opened: field.number('how many opened'),
  closed: field.number('how many closed'),
  mostOpen: field.number('the most that were open at the same time'),
  actions: field.counts('the number of their own actions of each type'),
};
const REJECTED = 'the number of rejected frames for each reason';
const RATE = { meanPerSecond: z.number(), maxPerSecond: z.number() };
const DELAYS = { p50: z.number(), p95: z.number(), max: z.number() };
const GAP = { ms: z.number(), fromMs: z.number(), toMs: z.number() };

/** The numbers of a session. Times are milliseconds since the launch. */
export const statsSchema = jsonRow('stats', 'the numbers of a session', {
  capture: captureField,
  startedAt: field.text('when the recording started, ISO 8601'),
  app: field.text('the program that recorded the session'),
  version: field.number('the version of the capture’s format, not of this document'),
  durationMs: field.number('to the last record or the last update, whichever is later'),
  records: field.counts('the number of records of each type'),
  frames: z.object({
    received: field.object('the frames from the platform', TRAFFIC),
    sent: field.object('the frames to the platform', TRAFFIC),
    dropped: field.number('messages that were dropped unsent; `null` for another app').nullable(),
    rejected: z.record(z.string(), z.number().optional()).describe(REJECTED),
  }),
  kinds: z.object({
    received: field.counts('the number of updates of each kind'),
    sent: field.counts('the number of sent frames of each category; `null` for another app').nullable(),
  }),
  updates: z.object({
    applied: field.number('updates that had an effect'),
    ignored: field.number('updates without a target'),
  }),
  acts: field.counts('the number of user actions of each type'),
  windows: field.object('the windows; `null` for another app', WINDOWS).readonly().nullable(),
  rate: field.object('received frames per second: the mean of the session, and the highest second', RATE),
  queue: z.object({
    max: field.number('the most updates that waited'),
    maxAtMs: field.number('when they did'),
    over: field.number('the value of `--over`'),
    overMs: field.number('for how long more updates than `over` waited'),
    delayMs: field.object('how long updates waited for their tick: the median, 95 % and the longest', DELAYS),
  }),
  longestGap: field.object('the longest time without a frame from the platform', GAP),
  connection: z.object({
    opens: field.number('how often the connection opened'),
    reconnects: field.number('opens after the first'),
    closes: field.counts('the number of closes for each reason'),
    downMs: field.number('the sum of the times from each close to the next open'),
  }),
  overTime: z.object({
    everyMs: field.number('the length of a part'),
    frames: z.array(z.number()).describe('received frames in each part'),
    queueDepth: z.array(z.number()).describe('the most updates that waited in each part'),
  }),
  documentVersion: shapeVersion,
});

/** The statistics of a capture. */
export type Stats = z.input<typeof statsSchema>;

/** The maximum number of parts of a series over time. */
const PARTS = 600;

/**
 * Creates an engine that collects the numbers of a session. Times are milliseconds since the launch. What only Parley has is `null` for another app.
 * @param over the time during which more updates than this waited is measured.
 */
export function collectStats(over: number, adapter: SessionAdapter, view: StatsView) {
  const kinds: Tally = {};
  const wire = watchRecords(view);
  const queue = watchQueue(over);
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
    ...engine,
    take(record: CaptureRecord): boolean {
      now = record.t;
      wire.take(record);
      acts.take(record);
      return engine.take(record);
    },
    finish(): Omit<Stats, keyof CaptureHeader | 'capture'> {
      const state = engine.finish();
      const { received, sent, rejected, applied, ignored } = state.counts;
      const durationMs = roundTime(Math.max(now, state.queue.lastTick));
      const { everyMs, values } = wire.seconds.series(durationMs);
      return {
        durationMs,
        records: wire.records,
        frames: {
          received: { count: received, bytes: wire.bytes.received },
          sent: { count: sent, bytes: wire.bytes.sent },
          dropped: view.droppedOf?.(state) ?? null,
          rejected,
        },
        kinds: { received: kinds, sent: view.categoryOf ? wire.categories : null },
        updates: { applied, ignored },
        ...acts.counts(),
        queue: queue.numbers(),
        ...wire.numbers(durationMs),
        overTime: { everyMs, frames: values, queueDepth: queue.seconds.series(durationMs).values },
      };
    },
  };
}

/** Counts the records, the frames on the wire, the opens and the closes, and measures the times without frames. */
function watchRecords({ categoryOf }: StatsView) {
  const [records, categories, closes]: [Tally, Tally, Tally] = [{}, {}, {}];
  const bytes = { received: 0, sent: 0 };
  const seconds = bySecond((a, b) => a + b);
  let received = 0;
  let lastFrame: number | undefined;
  let longestGap = { ms: 0, fromMs: 0, toMs: 0 };
  let opens = 0;
  let downSince: number | undefined;
  let downMs = 0;
  return {
    take(record: CaptureRecord) {
      tally(records, record.type);
      if (!isKnown(record)) return;
      const { t, type } = record;
      if (type === 'recv') {
        bytes.received += wireBytes(record);
        received++;
        seconds.add(t, 1);
        const ms = t - (lastFrame ?? t);
        if (ms > longestGap.ms) longestGap = { ms: roundTime(ms), fromMs: lastFrame ?? t, toMs: t };
        lastFrame = t;
      } else if (type === 'send') {
        bytes.sent += wireBytes(record);
        if (categoryOf) tally(categories, categoryOf(record));
      } else if (type === 'open') {
        opens++;
        downMs += t - (downSince ?? t);
        downSince = undefined;
      } else if (type === 'close') {
        tally(closes, record.reason);
        downSince ??= t;
      }
    },
    records,
    categories,
    bytes,
    /** Received frames over time. */
    seconds,
    numbers: (durationMs: number) => ({
      rate: {
        meanPerSecond: durationMs === 0 ? 0 : roundTime((received * 1000) / durationMs),
        maxPerSecond: seconds.highest(),
      },
      longestGap,
      connection: { opens, reconnects: Math.max(0, opens - 1), closes, downMs: roundTime(downMs) },
    }),
  };
}

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

const SECOND_MS = 1000;
const EVERY_S = [1, 2, 5, 10, 30, 60, 300, 600, 3600, 21_600, 86_400];

/** Creates a series with one value for each second, from 0; `merge` combines values of the same second or part. */
function bySecond(merge: (a: number, b: number) => number) {
  const values = new Map<number, number>();
  const put = (into: Map<number, number>, slot: number, value: number) =>
    into.set(slot, merge(into.get(slot) ?? 0, value));
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
