import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import type { CountsState } from '#shared/store/counts.ts';
import { dequeue, emptyFifo, enqueue, oldest } from '#shared/store/fifo.ts';
import { messageDropped } from '#shared/store/outgoing.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import type { ReceivedUpdate } from '#shared/store/updates.ts';
import { actionOf, endsSession, frameBytes, frameText, isFrame } from './actions.ts';
import { type ReplayCode, appCode } from './code.ts';
import type { EngineOptions, ReplayState, Step, TimedEngine } from './replay.ts';

interface Options extends EngineOptions {
  readonly code?: ReplayCode;
}

/** A fold with its current state. */
export interface Fold extends TimedEngine {
  /** It is not a copy: it changes while the fold continues. */
  readonly state: ReplayState;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The internal state of a fold. */
interface Folding {
  readonly code: ReplayCode;
  readonly onStep: ((step: Step) => void) | undefined;
  readonly until: number;
  readonly at: number;
  readonly notifications: NotificationText[];
  readonly counts: Mutable<CountsState>;
  readonly queue: Mutable<QueueState>;
  readonly rejected: Partial<Record<RejectReason, number>>;
  conversation: Conversation;
  connection: ConnectionState;
  isOver: boolean;
}

/**
 * Creates the fast engine, without a store and a clock. It releases each update when the time has passed the update's tick. So at a
 * limit or at the session's end, the same updates wait as in the app.
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
    nextTick: () => dueTick(folding),
    checkpoint: () => copyOf(folding),
    finish() {
      passTo(folding, Infinity);
      return { ...copyOf(folding), notifications: folding.notifications, virtualMs: folding.queue.lastTick };
    },
  };
}

function beginning({ code = appCode, onStep, until = Infinity, at = Infinity, start }: Options): Folding {
  const folding = launched(code, { onStep, until, at });
  if (start === undefined) return folding;
  const { conversation, connection, counts, queue } = start;
  Object.assign(folding.rejected, counts.rejected);
  Object.assign(folding.counts, counts, { rejected: folding.rejected });
  Object.assign(folding.queue, queue);
  return Object.assign(folding, { conversation, connection });
}

/** Returns a state that does not change while the fold continues. */
const copyOf = ({ conversation, connection, counts, queue, rejected }: Folding): ReplayState => ({
  conversation,
  connection,
  counts: { ...counts, rejected: { ...rejected } },
  queue: { ...queue },
});

type Given = Pick<Folding, 'onStep' | 'until' | 'at'>;

function launched(code: ReplayCode, { onStep, until, at }: Given): Folding {
  const rejected = {};
  return {
    code,
    onStep,
    until,
    at,
    notifications: [],
    counts: { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected },
    queue: { length: 0, bytes: 0, launchedAt: 0, lastTick: 0, waiting: emptyFifo() },
    rejected,
    conversation: code.emptyConversation,
    connection: connectionReducer(undefined, { type: '' }),
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
  queue.waiting = enqueue(queue.waiting, { update, bytes, at: record.t });
  queue.length++;
  queue.bytes += bytes;
}

function happen(folding: Folding, record: CaptureRecord): void {
  const action = actionOf(record);
  if (action === undefined) return;
  if (messageDropped.match(action)) folding.counts.dropped++;
  else folding.connection = connectionReducer(folding.connection, action);
}

/** Returns the tick of the oldest waiting update, unless a limit is before it. */
function dueTick({ code, isOver, queue, at }: Folding): number | undefined {
  const next = isOver ? undefined : oldest(queue.waiting);
  const due = next && code.tickFor(next.at, queue.lastTick);
  return due === undefined || due > at ? undefined : due;
}

/** Releases the updates that are due up to `time`, at most `most`; returns `true` when there are more. */
function passTo(folding: Folding, time: number, most = Infinity): boolean {
  for (let left = most; ; left--) {
    const due = dueTick(folding);
    if (due === undefined || due > time) return false;
    if (left === 0) return true;
    const next = oldest(folding.queue.waiting);
    if (next !== undefined) release(folding, next, due);
  }
}

function release(folding: Folding, { update, bytes, at: receivedAt }: ReceivedUpdate, tick: number): void {
  const { code, counts, queue, conversation: before } = folding;
  queue.length--;
  queue.bytes -= bytes;
  queue.lastTick = tick;
  queue.waiting = dequeue(queue.waiting);
  const effect = code.hasTarget(before, update) ? 'applied' : 'ignored';
  counts[effect]++;
  if (effect === 'applied') folding.conversation = code.applyUpdate(before, update);
  const after = folding.conversation;
  const raises = effect === 'applied' && update.kind === 'notification';
  const notification = raises ? code.notificationText(after) : undefined;
  if (notification !== undefined) folding.notifications.push(notification);
  const number = counts.applied + counts.ignored;
  folding.onStep?.({ number, receivedAt, tick, update, effect, before, after, notification });
  folding.isOver = number >= folding.until;
}
