import { captureTime, timeSinceLaunch } from '#shared/capture/captureTime.ts';
import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest } from '#shared/fifo.ts';
import { frameBytes, isFrame } from './actions.ts';
import type { AppAction, AppAdapter } from './appAdapter.ts';
import { decodeAppFrame } from './decodeAppFrame.ts';
import { END, type NextRelease, nextRelease } from './nextRelease.ts';
import type { Limits, PacedEngine } from './replay.ts';

/** The effect of one update of an app at its tick. */
export interface AppStep {
  /** The update's number, from 1. */
  readonly number: number;
  /** Milliseconds since the start of the recording. */
  readonly tick: number;
  /** When its frame was received, milliseconds since the start of the recording. */
  readonly receivedAt: number;
  /** The size of its frame. */
  readonly bytes: number;
  readonly kind: string;
  readonly update: unknown;
  readonly effect: 'applied' | 'ignored';
  readonly before: unknown;
  readonly after: unknown;
}

/** The connection of an app. */
interface AppConnection {
  readonly status: 'connected' | 'disconnected';
  /** The code and the reason of the last close. */
  readonly closedBecause: string | null;
}

/** The number of frames and updates so far. */
interface AppCounts {
  received: number;
  sent: number;
  applied: number;
  ignored: number;
  readonly rejected: Record<string, number>;
}

/** An update that waits for its tick. */
interface WaitingUpdate {
  readonly update: unknown;
  /** The size of its frame. */
  readonly bytes: number;
  /** Milliseconds since the launch. */
  readonly at: number;
}

/** The replay of an app at one moment. */
export interface AppReplay {
  /** The app's own state. */
  readonly state: unknown;
  readonly connection: AppConnection;
  readonly counts: Readonly<AppCounts>;
  readonly queue: { readonly length: number; readonly bytes: number };
  /** The last tick that was used, milliseconds since the launch. */
  readonly virtualMs: number;
}

/** A change of the state by an action. */
interface AppActionEffect {
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  readonly before: unknown;
  readonly after: unknown;
}

interface AppEngineOptions extends Limits {
  /** Is called for each update when its frame is received. */
  readonly onUpdate?: ((update: unknown) => void) | undefined;
  readonly onStep?: ((step: AppStep) => void) | undefined;
  /** Is called for each action that changed the state. */
  readonly onAction?: ((effect: AppActionEffect) => void) | undefined;
  readonly onRejected?: ((rejection: { reason: string; where?: string }) => void) | undefined;
}

/** The engine of an app's adapter. */
export interface AppEngine extends PacedEngine<AppReplay> {
  /** Returns the current state. It is not a copy: its counts change while the engine continues. */
  replay(): AppReplay;
}

/** The internal state of an engine. */
interface Running {
  readonly adapter: AppAdapter;
  readonly options: AppEngineOptions;
  readonly counts: AppCounts;
  state: unknown;
  connection: AppConnection;
  waiting: Fifo<WaitingUpdate>;
  length: number;
  bytes: number;
  launchedAt: number;
  lastTick: number;
  isOver: boolean;
}

/** Creates the engine that replays the frames of an app with its adapter. Virtual time advances from tick to tick, as in Parley's fold. */
export function createAppEngine(adapter: AppAdapter, options: AppEngineOptions = {}): AppEngine {
  const { at = Infinity, until } = options;
  const running: Running = {
    adapter,
    options,
    counts: { received: 0, sent: 0, applied: 0, ignored: 0, rejected: {} },
    state: adapter.initialState,
    connection: { status: 'disconnected', closedBecause: null },
    waiting: emptyFifo(),
    length: 0,
    bytes: 0,
    launchedAt: 0,
    lastTick: 0,
    isOver: until === 0,
  };
  return {
    replay: () => replayOf(running),
    take(record) {
      passTo(running, record);
      if (record.t > at) running.isOver = true;
      if (running.isOver) return false;
      if (isFrame(record, 'recv')) receive(running, record);
      else applyRecord(running, record);
      return true;
    },
    pass: (record, most) => passTo(running, record, most),
    nextTick: (record) => releaseBefore(running, record)?.time,
    finish() {
      passTo(running);
      return replayOf(running);
    },
  };
}

const replayOf = ({ state, connection, counts, length, bytes, lastTick }: Running): AppReplay => ({
  state,
  connection,
  counts,
  queue: { length, bytes },
  virtualMs: lastTick,
});

function receive(running: Running, record: FrameRecord): void {
  const { adapter, counts, options, launchedAt } = running;
  counts.received++;
  const decoded = decodeAppFrame(adapter, record);
  if ('rejected' in decoded) {
    const { rejected: reason, where } = decoded;
    counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1;
    options.onRejected?.({ reason, ...(where !== undefined && { where }) });
    return;
  }
  options.onUpdate?.(decoded.update);
  const bytes = frameBytes(record);
  const at = timeSinceLaunch(record.t, launchedAt);
  running.waiting = enqueue(running.waiting, { update: decoded.update, bytes, at });
  running.length++;
  running.bytes += bytes;
}

function applyRecord(running: Running, record: CaptureRecord): void {
  if (!isKnown(record)) return;
  const { adapter, counts } = running;
  switch (record.type) {
    case 'launch':
      if (counts.received + counts.sent === 0) running.launchedAt = record.t;
      return;
    case 'send':
      counts.sent++;
      return;
    case 'open':
      running.connection = { status: 'connected', closedBecause: null };
      break;
    case 'close':
      running.connection = {
        status: 'disconnected',
        closedBecause: `${record.code} ${record.reason}`.trimEnd(),
      };
      break;
    case 'recv':
    case 'action':
    case 'release':
      break;
    default:
      return record satisfies never;
  }
  const action = appActionOf(record);
  if (action === undefined || adapter.reduceAction === undefined) return;
  const before = running.state;
  running.state = adapter.reduceAction(before, action);
  if (running.state !== before) running.options.onAction?.({ t: record.t, before, after: running.state });
}

/** Returns the action of a record, or of the socket; `undefined` when the record is neither. */
export function appActionOf(record: CaptureRecord): AppAction | undefined {
  if (!isKnown(record)) return undefined;
  if (record.type === 'open') return { type: 'connection/opened' };
  if (record.type === 'close')
    return { type: 'connection/closed', payload: { code: record.code, reason: record.reason } };
  return record.type === 'action' ? record.action : undefined;
}

/** Returns the next release before a record, unless a limit is before it. */
function releaseBefore(running: Running, record = END): NextRelease | undefined {
  const { adapter, isOver, waiting, lastTick, launchedAt, options } = running;
  const next = isOver ? undefined : oldest(waiting);
  if (next === undefined) return undefined;
  const tick = adapter.tick === undefined ? Math.max(next.at, lastTick) : adapter.tick(next.at, lastTick);
  if (!(tick >= Math.max(next.at, lastTick)))
    throw new RangeError(`tick(${next.at}, ${lastTick}) returned ${tick}, which is earlier`);
  return nextRelease(record, { due: captureTime(tick, launchedAt), launchedAt, at: options.at ?? Infinity });
}

/** Releases the updates before a record, at most `most`; returns `true` when there are more. */
function passTo(running: Running, record = END, most = Infinity): boolean {
  for (let left = most; ; left--) {
    const next = releaseBefore(running, record);
    if (next === undefined || left === 0) return next !== undefined;
    release(running, next.tick);
  }
}

function release(running: Running, tick: number): void {
  const { adapter, counts, options, state: before } = running;
  const next = oldest(running.waiting);
  if (next === undefined) return;
  const { update, bytes, at } = next;
  running.waiting = dequeue(running.waiting);
  running.length--;
  running.bytes -= bytes;
  running.lastTick = timeSinceLaunch(tick, running.launchedAt);
  const after = adapter.reduce(before, update);
  const effect = after === before ? 'ignored' : 'applied';
  running.state = after;
  counts[effect]++;
  const number = counts.applied + counts.ignored;
  options.onStep?.({
    number,
    tick,
    receivedAt: captureTime(at, running.launchedAt),
    bytes,
    kind: adapter.kind(update),
    update,
    effect,
    before,
    after,
  });
  running.isOver = number >= (options.until ?? Infinity);
}
