import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import type { CountsState } from '#shared/store/counts.ts';
import { type Fifo, fifo } from '#shared/store/fifo.ts';
import { messageDropped } from '#shared/store/outgoing.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import { actionOf, endsSession, frameBytes, frameText, isFrame } from './actions.ts';
import { type ReplayCode, appCode } from './code.ts';
import type { EngineOptions, Step, TimedEngine } from './replay.ts';

interface Options extends EngineOptions {
  readonly code?: ReplayCode;
  /** The state from which the fold continues; the beginning of a session by default. */
  readonly start?: FoldStart;
}

/** An update that is waiting for its tick. */
export interface Waiting {
  readonly update: Update;
  readonly bytes: number;
  readonly receivedAt: number;
  readonly tick: number;
}

/** The current state of a fold. It is not a copy: it changes while the fold continues. */
export interface FoldState {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
  readonly counts: CountsState;
  readonly queue: QueueState;
}

/** Everything that a fold needs to continue. */
export interface FoldStart extends Omit<FoldState, 'queue'> {
  readonly waiting: readonly Waiting[];
  /** The last tick that was used. */
  readonly virtualMs: number;
}

/** A fold with its current state. */
export interface Fold extends TimedEngine {
  readonly state: FoldState;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The internal state of a fold. */
interface Folding {
  readonly code: ReplayCode;
  readonly onStep: ((step: Step) => void) | undefined;
  readonly until: number;
  readonly at: number;
  readonly waiting: Fifo<Waiting>;
  readonly notifications: NotificationText[];
  readonly counts: Mutable<CountsState>;
  readonly queue: Mutable<QueueState>;
  readonly rejected: Partial<Record<RejectReason, number>>;
  conversation: Conversation;
  connection: ConnectionState;
  /** The tick of the last received update; `virtualMs` is that of the last released one. */
  lastTick: number;
  virtualMs: number;
  isOver: boolean;
}

/**
 * Creates the fast engine, without a store and a clock. It computes the tick of each update when its frame arrives, and
 * releases the update when the time has passed that tick. So at a limit or at the session's end, the same updates wait as
 * in the app.
 */
export function createFold(options: Options = {}): Fold {
  const folding = beginning(options);
  const { at } = folding;
  return {
    state: folding,
    take(record) {
      passTo(folding, record.t);
      if (record.t > at || endsSession(record)) folding.isOver = true;
      if (folding.isOver) return false;
      if (isFrame(record, 'recv')) receive(folding, record);
      else if (isFrame(record, 'send')) folding.counts.sent++;
      else happen(folding, record);
      return true;
    },
    pass: (time, most) => passTo(folding, time, most),
    nextTick: () => nextTick(folding),
    finish() {
      passTo(folding, Infinity);
      const { conversation, connection, counts, queue, notifications, virtualMs } = folding;
      return { conversation, connection, counts, queue, notifications, virtualMs };
    },
  };
}

function beginning({ code = appCode, onStep, until = Infinity, at = Infinity, start }: Options): Folding {
  const folding = launched(code, { onStep, until, at });
  if (start === undefined) return folding;
  const { conversation, connection, counts, waiting, virtualMs } = start;
  for (const one of waiting) {
    folding.waiting.push(one);
    folding.queue.length++;
    folding.queue.bytes += one.bytes;
  }
  Object.assign(folding.rejected, counts.rejected);
  Object.assign(folding.counts, counts, { rejected: folding.rejected });
  return Object.assign(folding, {
    conversation,
    connection,
    virtualMs,
    lastTick: waiting.at(-1)?.tick ?? virtualMs,
  });
}

type Given = Pick<Folding, 'onStep' | 'until' | 'at'>;

function launched(code: ReplayCode, { onStep, until, at }: Given): Folding {
  const rejected = {};
  return {
    code,
    onStep,
    until,
    at,
    waiting: fifo(),
    notifications: [],
    counts: { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected },
    queue: { length: 0, bytes: 0 },
    rejected,
    conversation: code.emptyConversation,
    connection: connectionReducer(undefined, { type: '' }),
    lastTick: 0,
    virtualMs: 0,
    isOver: until === 0,
  };
}

function receive(folding: Folding, record: FrameRecord): void {
  const { code, counts, queue, rejected } = folding;
  counts.received++;
  const update = code.decodeUpdate(frameText(record));
  if (update.kind === 'rejected') {
    rejected[update.reason] = (rejected[update.reason] ?? 0) + 1;
    return;
  }
  const bytes = frameBytes(record);
  folding.lastTick = code.tickFor(record.t, folding.lastTick);
  folding.waiting.push({ update, bytes, receivedAt: record.t, tick: folding.lastTick });
  queue.length++;
  queue.bytes += bytes;
}

function happen(folding: Folding, record: CaptureRecord): void {
  const action = actionOf(record);
  if (action === undefined) return;
  if (messageDropped.match(action)) folding.counts.dropped++;
  else folding.connection = connectionReducer(folding.connection, action);
}

function nextTick({ isOver, waiting, at }: Folding): number | undefined {
  const due = isOver ? undefined : waiting.peek()?.tick;
  return due === undefined || due > at ? undefined : due;
}

/** Releases the updates that are due up to `time`, at most `most`; returns `true` when there are more. */
function passTo(folding: Folding, time: number, most = Infinity): boolean {
  for (let left = most; ; left--) {
    const due = nextTick(folding);
    if (due === undefined || due > time) return false;
    if (left === 0) return true;
    const next = folding.waiting.shift();
    if (next !== undefined) release(folding, next);
  }
}

function release(folding: Folding, { update, bytes, receivedAt, tick }: Waiting): void {
  const { code, counts, queue, conversation: before } = folding;
  queue.length--;
  queue.bytes -= bytes;
  const effect = code.hasTarget(before, update) ? 'applied' : 'ignored';
  counts[effect]++;
  folding.virtualMs = tick;
  if (effect === 'applied') folding.conversation = code.applyUpdate(before, update);
  const after = folding.conversation;
  const raises = effect === 'applied' && update.kind === 'notification';
  const notification = raises ? code.notificationText(after) : undefined;
  if (notification !== undefined) folding.notifications.push(notification);
  const number = counts.applied + counts.ignored;
  folding.onStep?.({ number, receivedAt, tick, update, effect, before, after, notification });
  folding.isOver = number >= folding.until;
}
