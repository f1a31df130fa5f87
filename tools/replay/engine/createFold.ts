import { actsPart, initialActs } from '#shared/capture/actsState.ts';
import { captureTime, timeSinceLaunch } from '#shared/capture/captureTime.ts';
import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import { type Conversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { countKnownMessages } from '#shared/conversation/countKnownMessages.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { NO_WORDS, wordsOf } from '#shared/conversation/words.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import { withArrivals } from '#shared/store/arrivals.ts';
import { NO_FIELDS, unusedFields } from '#shared/store/conversation.ts';
import type { CountsState } from '#shared/store/counts.ts';
import { dequeue, emptyFifo, enqueue, oldest } from '#shared/fifo.ts';
import { messageDropped } from '#shared/store/outgoing.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import type { ReceivedUpdate } from '#shared/store/updates.ts';
import { countUnread } from '#shared/window/attention.ts';
import { actionOf, endsSession, frameBytes, frameText, isFrame, launchesSession } from './actions.ts';
import { type ReplayCode, appCode } from './code.ts';
import { END, type NextRelease, nextRelease } from './nextRelease.ts';
import { type EngineOptions, type ReplayState, type Step, type TimedEngine, replayPart } from './replay.ts';

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
interface Folding extends Mutable<Omit<ReplayState, 'counts' | 'queue'>> {
  readonly code: ReplayCode;
  readonly onStep: ((step: Step) => void) | undefined;
  readonly onRejected: EngineOptions['onRejected'];
  readonly until: number;
  readonly at: number;
  readonly passesEnd: boolean;
  readonly notifications: NotificationText[];
  readonly counts: Mutable<CountsState>;
  readonly queue: Mutable<QueueState>;
  readonly rejected: Partial<Record<RejectReason, number>>;
  isOver: boolean;
}

/**
 * Creates the fast engine, without a store and a clock. It releases each update before the first record at or after the update's tick. So at a
 * limit or at the session's end, the same updates wait as in the app.
 */
export function createFold(options: Options = {}): Fold {
  const folding = beginning(options);
  const { at, passesEnd } = folding;
  return {
    state: folding,
    take(record) {
      passTo(folding, record);
      if (record.t > at || (endsSession(record) && !passesEnd)) folding.isOver = true;
      if (folding.isOver) return false;
      if (isFrame(record, 'recv')) receive(folding, record);
      else if (isFrame(record, 'send')) folding.counts.sent++;
      else applyRecord(folding, record);
      return true;
    },
    pass: (record, most) => passTo(folding, record, most),
    nextTick: (record) => releaseBefore(folding, record)?.time,
    checkpoint: () => copyOf(folding),
    finish() {
      passTo(folding);
      return { ...copyOf(folding), notifications: folding.notifications, virtualMs: folding.queue.lastTick };
    },
  };
}

function beginning({ code = appCode, start, ...rest }: Options): Folding {
  const { onStep, onRejected, until = Infinity, at = Infinity, passesEnd = false } = rest;
  const folding = launched(code, { onStep, onRejected, until, at, passesEnd });
  if (start === undefined) return folding;
  const { counts, queue, ...others } = replayPart(start);
  Object.assign(folding.rejected, counts.rejected);
  Object.assign(folding.counts, counts, { rejected: folding.rejected });
  Object.assign(folding.queue, queue);
  return Object.assign(folding, others);
}

/** Returns a state that does not change while the fold continues. */
const copyOf = (folding: Folding): ReplayState => ({
  ...replayPart(folding),
  counts: { ...folding.counts, rejected: { ...folding.rejected } },
  queue: { ...folding.queue },
});

type Given = Pick<Folding, 'onStep' | 'onRejected' | 'until' | 'at' | 'passesEnd'>;

function launched(code: ReplayCode, given: Given): Folding {
  return {
    ...given,
    code,
    notifications: [],
    ...emptySession(code),
    queue: { ...NO_QUEUE, launchedAt: 0 },
    // Another revision may have fewer slices.
    ...initialActs,
    ...code.reduceActs(undefined, { type: '' }),
    isOver: given.until === 0,
  };
}

/** Returns the slices that begin again with each session, without those that follow from actions. */
const emptySession = (code: ReplayCode) => {
  const rejected = {};
  return {
    counts: { received: 0, sent: 0, dropped: 0, applied: 0, ignored: 0, rejected },
    rejected,
    conversation: code.emptyConversation,
    arrivals: emptyVector<number | null>(),
    appliedUpdates: 0,
    snapshotFields: NO_FIELDS,
    words: NO_WORDS,
  };
};

/** The queue while no session runs. */
const NO_QUEUE: QueueState = { length: 0, bytes: 0, launchedAt: null, lastTick: 0, waiting: emptyFifo() };

function receive(folding: Folding, record: FrameRecord): void {
  const { code, counts, queue, rejected } = folding;
  counts.received++;
  const update = code.decodeUpdate(frameText(record));
  if (update.kind === 'rejected') {
    rejected[update.reason] = (rejected[update.reason] ?? 0) + 1;
    folding.onRejected?.(update);
    return;
  }
  if (queue.launchedAt === null) return;
  const bytes = frameBytes(record);
  const at = timeSinceLaunch(record.t, queue.launchedAt);
  queue.waiting = enqueue(queue.waiting, { update, bytes, at });
  queue.length++;
  queue.bytes += bytes;
}

function applyRecord(folding: Folding, record: CaptureRecord): void {
  if (record.type === 'launch') {
    if (!launchesSession(record, folding)) return;
    resetSession(folding, record.t);
  }
  if (endsSession(record)) resetSession(folding, null);
  const action = actionOf(record);
  if (action === undefined) return;
  if (messageDropped.match(action)) folding.counts.dropped++;
  else Object.assign(folding, folding.code.reduceActs(actsPart(folding), action));
}

/** Resets the slices of a session, without those that follow from actions. */
function resetSession(folding: Folding, launchedAt: number | null): void {
  Object.assign(folding, emptySession(folding.code), { queue: { ...NO_QUEUE, launchedAt } });
}

/** Returns the next release before a record, unless a limit is before it. */
function releaseBefore({ code, isOver, queue, at }: Folding, record = END): NextRelease | undefined {
  const next = isOver ? undefined : oldest(queue.waiting);
  if (next === undefined) return undefined;
  const launchedAt = queue.launchedAt ?? 0;
  const due = captureTime(code.tickFor(next.at, queue.lastTick), launchedAt);
  return nextRelease(record, { due, launchedAt, at });
}

/** Releases the updates before a record, at most `most`; returns `true` when there are more. */
function passTo(folding: Folding, record = END, most = Infinity): boolean {
  for (let left = most; ; left--) {
    const next = releaseBefore(folding, record);
    if (next === undefined || left === 0) return next !== undefined;
    const update = oldest(folding.queue.waiting);
    if (update !== undefined) release(folding, update, next.tick);
  }
}

function release(folding: Folding, { update, bytes, at }: ReceivedUpdate, tick: number): void {
  const { code, counts, queue, conversation: before } = folding;
  const launchedAt = queue.launchedAt ?? 0;
  queue.length--;
  queue.bytes -= bytes;
  queue.lastTick = timeSinceLaunch(tick, launchedAt);
  queue.waiting = dequeue(queue.waiting);
  const effect = code.hasTarget(before, update) ? 'applied' : 'ignored';
  counts[effect]++;
  if (effect === 'applied') apply(folding, update, queue.lastTick);
  const after = folding.conversation;
  const raises = effect === 'applied' && update.kind === 'notification';
  const notification = raises ? code.notificationText(after) : undefined;
  if (notification !== undefined) folding.notifications.push(notification);
  const number = counts.applied + counts.ignored;
  const receivedAt = captureTime(at, launchedAt);
  folding.onStep?.({ number, receivedAt, tick, update, effect, before, after, notification });
  folding.isOver = number >= folding.until;
}

/** Applies an update that has a target, as the reducers of the store do. */
function apply(folding: Folding, update: Update, tick: number): void {
  const known = update.kind === 'snapshot' ? countKnownMessages(inOwnForm(folding), update.frame) : 0;
  folding.arrivals = withArrivals(folding.arrivals, { update, tick, known });
  folding.conversation = folding.code.applyUpdate(folding.conversation, update);
  folding.attention = countUnread(folding.attention, update);
  if (update.kind !== 'notification') folding.appliedUpdates++;
  if (update.kind !== 'snapshot') return;
  folding.snapshotFields = unusedFields(update.frame);
  folding.words = wordsOf(update.frame);
}

/** Returns the conversation in our form: another revision may have another one. */
const inOwnForm = ({ code, conversation }: Folding): Conversation =>
  code.toSnapshot === appCode.toSnapshot
    ? conversation
    : fromSnapshot({ person: '', messages: code.toSnapshot(conversation).messages });
