import {
  timeSinceLaunch,
  type CaptureRecord,
  type FrameRecord,
  type KnownRecord,
  isKnown,
  isOfOtherSocket,
} from '#shared/capture/captureFormat.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest } from '#shared/fifo.ts';
import { isJsonObject } from '#shared/json.ts';
import type { AppAction, AppAdapter, DecodedFrame } from './appAdapter.ts';
import { frameData, isFrame } from './frames.ts';
import type { SessionAdapter, SessionState, WaitingUpdate } from './sessionAdapter.ts';

/** The session of an app whose adapter has only a state: the tool keeps its queue, its counts and its connection. */
export interface AppSession extends SessionState {
  /** The app's own state. */
  readonly state: unknown;
  readonly queue: SessionState['queue'] & { readonly waiting: Fifo<Omit<WaitingUpdate<unknown>, 'tick'>> };
}

/** A change of a session; `type` is that of the app's action. */
export interface SessionChange<Session> {
  readonly type?: string;
  readonly change: (session: Session) => Session;
}

type SessionAction = SessionChange<AppSession>;

/** The beginning of a session whose app has only a state. */
export const BEGINNING: SessionState = {
  connection: { status: 'disconnected', closedBecause: null },
  counts: { received: 0, sent: 0, applied: 0, ignored: 0, rejected: {} },
  queue: { length: 0, bytes: 0, launchedAt: 0, lastTick: 0 },
};

/** Returns the session of an app, from its adapter. */
export const sessionOf = (adapter: AppAdapter): SessionAdapter<AppSession, unknown, SessionAction> => ({
  name: adapter.name,
  kind: (update) => adapter.kind(update),
  ...(adapter.describeAction && { describeAction: adapter.describeAction }),
  initialState: {
    ...BEGINNING,
    state: adapter.initialState,
    queue: { ...BEGINNING.queue, waiting: emptyFifo() },
  },
  reduce: (session, { change }) => change(session),
  take(record, session, bytes) {
    if (!isFrame(record, 'recv')) return { actions: actionsOf(adapter, record, session) };
    const decoded = decodeAppFrame(adapter, record);
    if ('rejected' in decoded) {
      const { rejected: reason, where } = decoded;
      const rejected = { reason, ...(where !== undefined && { where }) };
      return { actions: [{ change: (before) => withRejected(before, reason) }], rejected };
    }
    const at = timeSinceLaunch(record.t, session.queue.launchedAt ?? 0);
    return { actions: [{ change: (before) => received(before, { ...decoded, bytes, at }) }], ...decoded };
  },
  next({ queue: { waiting, lastTick } }) {
    const next = oldest(waiting);
    if (next === undefined) return undefined;
    const earliest = Math.max(next.at, lastTick);
    const tick = adapter.tick === undefined ? earliest : adapter.tick(next.at, lastTick);
    if (tick >= earliest) return { ...next, tick };
    throw new RangeError(`tick(${next.at}, ${lastTick}) returned ${tick}, which is earlier`);
  },
  release: (_session, tick) => [{ change: (session) => released(adapter, session, tick) }],
  typeOf: ({ type }) => type,
  ownState: ({ state }) => state,
  ...(adapter.display && { display: displayOf(adapter.display.bind(adapter)) }),
  ...(adapter.redact && { redact: adapter.redact }),
});

/** Returns a function that computes displays; the last two are cached, because the state after one update is the state before the next one. */
export function displayOf(display: NonNullable<AppAdapter['display']>) {
  let known: { readonly state: unknown; readonly display: unknown }[] = [];
  return ({ state }: { readonly state: unknown }): unknown => {
    const found = known.find((one) => one.state === state);
    if (found !== undefined) return found.display;
    const computed = { state, display: display(state) };
    known = [computed, ...known].slice(0, 2);
    return computed.display;
  };
}

/** The actions of the socket come before that of the app. */
function actionsOf(adapter: AppAdapter, record: CaptureRecord, { counts }: AppSession): SessionAction[] {
  if (!isKnown(record) || isOfOther(record)) return [];
  const actions: SessionAction[] = [];
  const connection = connectionAfter(record);
  if (connection !== undefined) actions.push({ change: (session) => ({ ...session, connection }) });
  else if (record.type === 'send') actions.push({ change: (session) => counted(session, 'sent') });
  else if (record.type === 'launch' && counts.received + counts.sent === 0)
    actions.push({
      change: (session) => ({ ...session, queue: { ...session.queue, launchedAt: record.t } }),
    });
  const action = appActionOf(record);
  if (action !== undefined)
    actions.push({
      type: action.type,
      change(session) {
        const state = adapter.reduceAction ? adapter.reduceAction(session.state, action) : session.state;
        return state === session.state ? session : { ...session, state };
      },
    });
  return actions;
}

/** Returns whether a record opens or closes another connection than the first, which the session does not show. */
const isOfOther = (record: CaptureRecord): boolean => record.type !== 'send' && isOfOtherSocket(record);

/** Returns the action of a record, or of the socket; `undefined` when the record is neither. */
export function appActionOf(record: CaptureRecord): AppAction | undefined {
  if (!isKnown(record) || isOfOther(record)) return undefined;
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

/** Returns whether a value is an action. */
export const isAction = (value: unknown): value is AppAction =>
  isJsonObject(value) && typeof value.type === 'string';

/** Returns the connection after a record that opens or closes it; `undefined` for any other record. */
export function connectionAfter(record: KnownRecord): SessionState['connection'] | undefined {
  if (record.type === 'open') return { status: 'connected', closedBecause: null };
  if (record.type !== 'close') return undefined;
  return { status: 'disconnected', closedBecause: `${record.code} ${record.reason}`.trimEnd() };
}

/** Counts one more. */
export const counted = <Session extends SessionState>(
  session: Session,
  name: 'received' | 'sent' | 'applied' | 'ignored',
): Session => ({ ...session, counts: { ...session.counts, [name]: session.counts[name] + 1 } });

function withRejected(before: AppSession, reason: string): AppSession {
  const session = counted(before, 'received');
  const { [reason]: count = 0 } = session.counts.rejected;
  const rejected = { ...session.counts.rejected, [reason]: count + 1 };
  return { ...session, counts: { ...session.counts, rejected } };
}

function received(session: AppSession, one: Omit<WaitingUpdate<unknown>, 'tick'>): AppSession {
  const { length, bytes, waiting, ...queue } = session.queue;
  const longer = { length: length + 1, bytes: bytes + one.bytes, waiting: enqueue(waiting, one) };
  return { ...counted(session, 'received'), queue: { ...queue, ...longer } };
}

/** Applies the oldest update. One that returns the same reference counts as ignored. */
function released(adapter: AppAdapter, session: AppSession, lastTick: number): AppSession {
  const { length, bytes, waiting, ...queue } = session.queue;
  const next = oldest(waiting);
  if (next === undefined) return session;
  const state = adapter.reduce(session.state, next.update);
  const shorter = { length: length - 1, bytes: bytes - next.bytes, lastTick, waiting: dequeue(waiting) };
  const isIgnored = state === session.state;
  return { ...counted(session, isIgnored ? 'ignored' : 'applied'), state, queue: { ...queue, ...shorter } };
}
