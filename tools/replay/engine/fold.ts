import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import type { CountsState } from '#shared/store/counts.ts';
import { type Fifo, fifo } from '#shared/store/fifo.ts';
import { messageDropped } from '#shared/store/outgoing.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import { actionOf, endsSession, frameText, isFrame } from './actions.ts';
import { type ReplayCode, appCode } from './code.ts';
import type { Engine, Limits, Step } from './replay.ts';

interface Options extends Limits {
  readonly code?: ReplayCode;
  /** Hears of each update at its tick. */
  readonly onStep?: (step: Step) => void;
}

interface Waiting {
  readonly update: Update;
  readonly receivedAt: number;
  readonly tick: number;
}

/** A fold on its way. */
interface Folding {
  readonly code: ReplayCode;
  readonly onStep: Options['onStep'];
  readonly until: number;
  readonly waiting: Fifo<Waiting>;
  readonly notifications: NotificationText[];
  readonly counts: { -readonly [C in keyof CountsState]: CountsState[C] };
  readonly rejected: Partial<Record<RejectReason, number>>;
  conversation: Conversation;
  connection: ConnectionState;
  /** The tick of the newest update that was received, and of the newest that was released. */
  lastTick: number;
  virtualMs: number;
  isOver: boolean;
}

/**
 * The fast way: no store and no clock. The tick of each update is computed when its frame comes, and it is released when
 * time has passed it, so that a limit or the session's end finds waiting what would have waited.
 */
export function createFold({
  code = appCode,
  onStep,
  until = Infinity,
  at = Infinity,
}: Options = {}): Engine {
  const rejected = {};
  const folding: Folding = {
    code,
    onStep,
    until,
    waiting: fifo(),
    notifications: [],
    counts: { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected },
    rejected,
    conversation: code.emptyConversation,
    connection: connectionReducer(undefined, { type: '' }),
    lastTick: 0,
    virtualMs: 0,
    isOver: until === 0,
  };
  return {
    take(record) {
      passTo(folding, Math.min(record.t, at));
      if (record.t > at || endsSession(record)) folding.isOver = true;
      if (folding.isOver) return false;
      if (isFrame(record, 'recv')) receive(folding, record);
      else if (isFrame(record, 'send')) folding.counts.sent++;
      else happen(folding, record);
      return true;
    },
    finish() {
      passTo(folding, at);
      const { conversation, connection, counts, notifications, virtualMs } = folding;
      return { conversation, connection, counts, notifications, virtualMs };
    },
  };
}

function receive(folding: Folding, record: FrameRecord): void {
  const { code, counts, rejected } = folding;
  counts.received++;
  const update = code.decodeUpdate(frameText(record));
  if (update.kind === 'rejected') {
    rejected[update.reason] = (rejected[update.reason] ?? 0) + 1;
    return;
  }
  folding.lastTick = code.tickFor(record.t, folding.lastTick);
  folding.waiting.push({ update, receivedAt: record.t, tick: folding.lastTick });
}

function happen(folding: Folding, record: CaptureRecord): void {
  const action = actionOf(record);
  if (action === undefined) return;
  if (messageDropped.match(action)) folding.counts.dropped++;
  else folding.connection = connectionReducer(folding.connection, action);
}

/** Releases what falls due up to `time`. */
function passTo(folding: Folding, time: number): void {
  while (!folding.isOver) {
    const next = folding.waiting.peek();
    if (next === undefined || next.tick > time) return;
    folding.waiting.shift();
    release(folding, next);
  }
}

function release(folding: Folding, { update, receivedAt, tick }: Waiting): void {
  const { code, counts, conversation: before } = folding;
  const effect = code.takesEffect(before, update) ? 'applied' : 'ignored';
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
