import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isOutgoingCategory } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../engine/frames.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { ACTION_SECTIONS } from '#shared/actions/actionTable.ts';
import { windowClosed, windowOpened } from '#shared/actions/mainActions.ts';
import { recordedAction } from '#shared/capture/recordedActions.ts';
import { roundTime } from '#shared/clock.ts';
import { measuredReplay } from './replayRows.ts';

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
  const replay = measuredReplay(adapter, watch);
  const acts = watchActs(adapter === undefined);

  return {
    /** Returns `false` after the end of the session. */
    take(record: CaptureRecord): boolean {
      now = record.t;
      traffic.take(record);
      connection.take(record);
      acts.take(record);
      return replay.take(record);
    },
    finish() {
      const { counts, dropped, virtualMs } = replay.finish();
      const durationMs = roundTime(Math.max(now, virtualMs));
      const { everyMs, values } = traffic.frames.series(durationMs);
      return {
        durationMs,
        records: traffic.records,
        frames: {
          received: { count: counts.received, bytes: traffic.bytes.received },
          sent: { count: counts.sent, bytes: traffic.bytes.sent },
          dropped,
          rejected: counts.rejected,
        },
        kinds: { received: kinds, sent: adapter === undefined ? traffic.categories : null },
        updates: { applied: counts.applied, ignored: counts.ignored },
        ...acts.counts(),
        rate: traffic.rate(durationMs),
        queue: { ...queue.depth(), delayMs: queue.delays() },
        longestGap: connection.longestGap(),
        connection: connection.connection(),
        overTime: { everyMs, frames: values, queueDepth: queue.seconds.series(durationMs).values },
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
      meanPerSecond: durationMs === 0 ? 0 : roundTime((received * 1000) / durationMs),
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
  const at = (share: number) => roundTime(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
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
        if (ms > longest.ms) longest = { ms: roundTime(ms), fromMs: lastFrame ?? t, toMs: t };
        lastFrame = t;
      }
    },
    /** Opens after the first are reconnects; `downMs` is the sum of the times from each close to the next open. */
    connection: () => ({ opens, reconnects: Math.max(0, opens - 1), closes, downMs: roundTime(downMs) }),
    /** The longest time without a frame from the platform. */
    longestGap: () => longest,
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

/** Counts by name. */
type Tally = Record<string, number>;

const tally = (into: Tally, name: string): void => {
  into[name] = (into[name] ?? 0) + 1;
};

/** Counts what the person did, and the windows. Actions that rebuild the state at the start of a capture (`synthetic`) are not acts. Counts every action of another app. */
function watchActs(isParley: boolean) {
  const acts: Tally = {};
  const own: Tally = {};
  const open = new Set<number>();
  const windows = { opened: 0, closed: 0, mostOpen: 0 };
  return {
    take(record: CaptureRecord) {
      if (!isKnown(record) || record.type !== 'action') return;
      const action = isParley ? recordedAction(record) : undefined;
      if (!isParley) tally(acts, record.action.type);
      if (action === undefined) return;
      const isNew = record.synthetic === undefined;
      if (windowOpened.match(action)) {
        open.add(action.payload.number);
        windows.mostOpen = Math.max(windows.mostOpen, open.size);
        if (isNew) windows.opened++;
      } else if (windowClosed.match(action)) {
        open.delete(action.payload.number);
        windows.closed++;
      } else if (isNew && Object.hasOwn(ACTION_SECTIONS.user, action.type)) tally(acts, action.type);
      else if (isNew && Object.hasOwn(ACTION_SECTIONS.window, action.type)) tally(own, action.type);
    },
    /** The acts by type; the windows that opened and closed, the most at the same time, and their own actions by type. */
    counts: () => ({ acts, windows: isParley ? { ...windows, actions: own } : null }),
  };
}
