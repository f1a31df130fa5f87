import {
  timeSinceLaunch,
  type CaptureRecord,
  type FrameRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest } from '#shared/fifo.ts';
import { isJsonObject } from '#shared/json.ts';
import type { AppAction, AppAdapter, DecodedFrame } from './appAdapter.ts';
import { frameData, isFrame } from './frames.ts';
import type { SessionAdapter, SessionState, TakenRecord } from './sessionAdapter.ts';

/** An update in the queue of an app; the time is since the launch. */
interface Received {
  readonly update: unknown;
  readonly bytes: number;
  readonly at: number;
}

/** The session of an app whose adapter has only a state: the tool keeps its queue, its counts and its connection. */
export interface AppSession extends SessionState {
  /** The app's own state. */
  readonly state: unknown;
  readonly counts: SessionState['counts'] & { readonly rejected: Readonly<Record<string, number>> };
  readonly queue: SessionState['queue'] & { readonly waiting: Fifo<Received> };
}

/** A change of the session; `type` is that of the app's action. */
interface SessionAction {
  readonly type?: string;
  readonly change: (session: AppSession) => AppSession;
}

type Taken = TakenRecord<unknown, SessionAction>;

/** Returns the session of an app, from its adapter. */
export const sessionOf = (adapter: AppAdapter): SessionAdapter<AppSession, unknown, SessionAction> => ({
  name: adapter.name,
  kind: (update) => adapter.kind(update),
  ...(adapter.describeAction && { describeAction: adapter.describeAction }),
  initialState: {
    state: adapter.initialState,
    connection: { status: 'disconnected', closedBecause: null },
    counts: { received: 0, sent: 0, applied: 0, ignored: 0, rejected: {} },
    queue: { length: 0, bytes: 0, launchedAt: 0, lastTick: 0, waiting: emptyFifo() },
  },
  reduce: (session, { change }) => change(session),
  take: (record, session, bytes) =>
    isFrame(record, 'recv')
      ? takeFrame(adapter, record, { session, bytes })
      : { actions: actionsOf(adapter, record, session) },
  next({ queue: { waiting, lastTick } }) {
    const next = oldest(waiting);
    if (next === undefined) return undefined;
    const tick = adapter.tick === undefined ? Math.max(next.at, lastTick) : adapter.tick(next.at, lastTick);
    if (tick >= Math.max(next.at, lastTick)) return { ...next, tick };
    throw new RangeError(`tick(${next.at}, ${lastTick}) returned ${tick}, which is earlier`);
  },
  release: (_session, tick) => [{ change: (session) => released(adapter, session, tick) }],
  typeOf: ({ type }) => type,
  ownState: ({ state }) => state,
  ...(adapter.display && { display: displayOf(adapter, adapter.display) }),
  ...(adapter.redact && { redact: adapter.redact }),
});

/** Returns a function that computes displays; the last two are cached, because the state after one update is the state before the next one. */
function displayOf(adapter: AppAdapter, display: NonNullable<AppAdapter['display']>) {
  let known: { readonly state: unknown; readonly display: unknown }[] = [];
  return ({ state }: AppSession): unknown => {
    const found = known.find((one) => one.state === state);
    if (found !== undefined) return found.display;
    const computed = { state, display: display.call(adapter, state) };
    known = [computed, ...known].slice(0, 2);
    return computed.display;
  };
}

interface FrameOf {
  readonly session: AppSession;
  readonly bytes: number;
}

function takeFrame(adapter: AppAdapter, record: FrameRecord, { session, bytes }: FrameOf): Taken {
  const decoded = decodeAppFrame(adapter, record);
  if ('rejected' in decoded) {
    const { rejected: reason, where } = decoded;
    const rejected = { reason, ...(where !== undefined && { where }) };
    return { actions: [{ change: (before) => withRejected(before, reason) }], rejected };
  }
  const { update } = decoded;
  const at = timeSinceLaunch(record.t, session.queue.launchedAt ?? 0);
  return { actions: [{ change: (before) => received(before, { update, bytes, at }) }], update };
}

/** The actions of the socket come before that of the app. */
function actionsOf(adapter: AppAdapter, record: CaptureRecord, { counts }: AppSession): SessionAction[] {
  if (!isKnown(record)) return [];
  const actions: SessionAction[] = [];
  const connect = (connection: AppSession['connection']) =>
    actions.push({ change: (session) => ({ ...session, connection }) });
  if (record.type === 'open') connect({ status: 'connected', closedBecause: null });
  else if (record.type === 'close')
    connect({ status: 'disconnected', closedBecause: `${record.code} ${record.reason}`.trimEnd() });
  else if (record.type === 'send')
    actions.push({
      change: (session) => ({ ...session, counts: { ...session.counts, sent: session.counts.sent + 1 } }),
    });
  else if (record.type === 'launch' && counts.received + counts.sent === 0)
    actions.push({
      change: (session) => ({ ...session, queue: { ...session.queue, launchedAt: record.t } }),
    });
  const action = appActionOf(record);
  if (action !== undefined)
    actions.push({ type: action.type, change: (session) => acted(adapter, session, action) });
  return actions;
}

/** Returns the action of a record, or of the socket; `undefined` when the record is neither. */
export function appActionOf(record: CaptureRecord): AppAction | undefined {
  if (!isKnown(record)) return undefined;
  if (record.type === 'open') return { type: 'connection/opened' };
  if (record.type === 'close')
    return { type: 'connection/closed', payload: { code: record.code, reason: record.reason } };
  return record.type === 'action' ? record.action : undefined;
}

/**
 * Decodes a received frame with the adapter of an app.
 * @throws {TypeError} when the adapter returns something else.
 */
function decodeAppFrame(adapter: AppAdapter, frame: FrameRecord): DecodedFrame<unknown> {
  const decoded: unknown = adapter.decode(frameData(frame));
  if (isJsonObject(decoded)) {
    const { rejected, where } = decoded;
    if (typeof rejected === 'string') return typeof where === 'string' ? { rejected, where } : { rejected };
    if ('update' in decoded) return { update: decoded.update };
  }
  throw new TypeError('decode() must return { update } or { rejected }');
}

function acted(adapter: AppAdapter, session: AppSession, action: AppAction): AppSession {
  const { state } = session;
  const after = adapter.reduceAction === undefined ? state : adapter.reduceAction(state, action);
  return after === state ? session : { ...session, state: after };
}

function withRejected(session: AppSession, reason: string): AppSession {
  const { counts } = session;
  const rejected = { ...counts.rejected, [reason]: (counts.rejected[reason] ?? 0) + 1 };
  return { ...session, counts: { ...counts, received: counts.received + 1, rejected } };
}

const received = (session: AppSession, one: Received): AppSession => ({
  ...session,
  counts: { ...session.counts, received: session.counts.received + 1 },
  queue: {
    ...session.queue,
    length: session.queue.length + 1,
    bytes: session.queue.bytes + one.bytes,
    waiting: enqueue(session.queue.waiting, one),
  },
});

/** Applies the oldest update. One that returns the same reference counts as ignored. */
function released(adapter: AppAdapter, session: AppSession, tick: number): AppSession {
  const { counts, queue, state } = session;
  const next = oldest(queue.waiting);
  if (next === undefined) return session;
  const after = adapter.reduce(state, next.update);
  const effect = after === state ? 'ignored' : 'applied';
  return {
    ...session,
    state: after,
    counts: { ...counts, [effect]: counts[effect] + 1 },
    queue: {
      ...queue,
      length: queue.length - 1,
      bytes: queue.bytes - next.bytes,
      lastTick: tick,
      waiting: dequeue(queue.waiting),
    },
  };
}
