import { type Folded, apply, listOf } from '#sim/checks/foldFrames.ts';
import { type CaptureRecord, type ReleaseRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { decodeUpdate, type Update } from '#shared/protocol/update.ts';
import type { Limits } from '#replay/engine/createEngine.ts';

interface Connection {
  status: string;
  closedBecause: string | null;
  retryAt?: number | undefined;
}

/** Creates the state of a session in its simplest form. */
function naiveSession() {
  return {
    person: null as unknown,
    messages: [] as Folded['messages'],
    notifications: [] as { title: unknown; body: unknown }[],
    frames: { received: 0, sent: 0, dropped: 0 },
    rejected: {} as Record<string, number>,
    updates: { applied: 0, ignored: 0 },
    connection: { status: 'disconnected', closedBecause: null as string | null } as Connection,
    waiting: [] as Update[],
    virtualMs: 0,
    isOver: false,
  };
}

type Session = ReturnType<typeof naiveSession>;

/**
 * Replays a session with a simple independent algorithm: it runs every tick since the launch, whether updates wait or not.
 * Records before a tick are taken before it; the tick releases one update (contract §5). From the `due` of a late release to its record no tick
 * runs, except the last one that counts as its time.
 */
export function naiveReplay(
  records: readonly CaptureRecord[],
  { until = Infinity, at = Infinity }: Limits = {},
): Session {
  const session = naiveSession();
  const left = records.filter(({ t }) => t <= at);
  const count = left.length;
  session.isOver = until === 0;
  for (let tick = 100; !session.isOver; tick += 100) {
    while (!session.isOver && left[0] !== undefined && left[0].t < tick) take(session, left.shift());
    const next = records[count - left.length];
    if (session.waiting.length > 0 && next !== undefined && isLate(next, tick)) {
      if (next.t > at) break;
      tick = next.tick;
    }
    if (session.isOver || tick > at || (left.length === 0 && session.waiting.length === 0)) break;
    const update = session.waiting.shift();
    if (update === undefined) continue;
    session.virtualMs = tick;
    session.updates[release(session, update) ? 'applied' : 'ignored']++;
    if (session.updates.applied + session.updates.ignored >= until) session.isOver = true;
  }
  return session;
}

/** Returns whether a record is the late release of an update whose own tick is `tick`. */
const isLate = (record: CaptureRecord, tick: number): record is ReleaseRecord =>
  isKnown(record) &&
  record.type === 'release' &&
  record.due <= tick &&
  tick <= record.tick &&
  record.tick <= record.t;

function take(session: Session, record: CaptureRecord | undefined): void {
  if (record === undefined || !isKnown(record)) return;
  if (record.type === 'send') session.frames.sent++;
  if (record.type === 'close') {
    const { reason, retryAt } = record;
    session.connection = { status: 'disconnected', closedBecause: reason || null, retryAt };
  }
  if (record.type === 'action') takeAction(session, record.action.type);
  if (record.type !== 'recv') return;
  session.frames.received++;
  const update = decodeUpdate(record.encoding === 'base64' ? null : record.data);
  if (update.kind !== 'rejected') session.waiting.push(update);
  else session.rejected[update.reason] = (session.rejected[update.reason] ?? 0) + 1;
}

function takeAction(session: Session, type: string): void {
  if (type === 'session/ended') session.isOver = true;
  if (type === 'message/dropped') session.frames.dropped++;
  if (type === 'connection/confirmed') session.connection = { status: 'connected', closedBecause: null };
  if (type === 'connection/requested') session.connection.closedBecause = null;
}

/** Applies an update; returns whether it had a target. */
function release(session: Session, { kind, frame }: Update): boolean {
  const message = session.messages.at(-1);
  const item = listOf(message?.content).at(-1);
  if (kind === 'notification' && item !== undefined)
    session.notifications.push({ title: message?.context ?? '', body: item.text ?? '' });
  return apply(session, { ...frame });
}
