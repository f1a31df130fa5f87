import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import { connectionReducer } from '#shared/store/connection.ts';
import { fifo } from '#shared/store/fifo.ts';
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
  const waiting = fifo<Waiting>();
  const notifications: NotificationText[] = [];
  const rejected: Partial<Record<RejectReason, number>> = {};
  const counts = { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected };
  let conversation = code.emptyConversation;
  let connection = connectionReducer(undefined, { type: '' });
  let lastTick = 0;
  let virtualMs = 0;
  let isOver = until === 0;

  const release = ({ update, receivedAt, tick }: Waiting) => {
    const before = conversation;
    const effect = code.takesEffect(before, update) ? 'applied' : 'ignored';
    counts[effect]++;
    virtualMs = tick;
    if (effect === 'applied') conversation = code.applyUpdate(before, update);
    const notification =
      effect === 'applied' && update.kind === 'notification'
        ? code.notificationText(conversation)
        : undefined;
    if (notification !== undefined) notifications.push(notification);
    const number = counts.applied + counts.ignored;
    onStep?.({
      number,
      receivedAt,
      tick,
      update,
      effect,
      before,
      after: conversation,
      ...(notification && { notification }),
    });
    isOver = number >= until;
  };
  const passTo = (time: number) => {
    for (
      let next = waiting.peek();
      next !== undefined && next.tick <= time && !isOver;
      next = waiting.peek()
    ) {
      waiting.shift();
      release(next);
    }
  };
  const receive = (text: string | null, receivedAt: number) => {
    counts.received++;
    const update = code.decodeUpdate(text);
    if (update.kind === 'rejected') {
      rejected[update.reason] = (rejected[update.reason] ?? 0) + 1;
      return;
    }
    lastTick = code.tickFor(receivedAt, lastTick);
    waiting.push({ update, receivedAt, tick: lastTick });
  };
  const happen = (record: CaptureRecord) => {
    const action = actionOf(record);
    if (action === undefined) return;
    if (messageDropped.match(action)) counts.dropped++;
    else connection = connectionReducer(connection, action);
  };

  return {
    take(record) {
      if (isOver) return false;
      passTo(Math.min(record.t, at));
      if (record.t > at || endsSession(record)) isOver = true;
      if (isOver) return false;
      if (isFrame(record, 'recv')) receive(frameText(record), record.t);
      else if (isFrame(record, 'send')) counts.sent++;
      else happen(record);
      return true;
    },
    finish() {
      passTo(at);
      return { conversation, connection, counts, notifications, virtualMs };
    },
  };
}
