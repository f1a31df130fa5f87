import type { KnownRecord } from '#shared/capture/format.ts';
import { CaptureError } from './captureError.ts';
import { type HarRecords, NO_FRAME } from './harRecords.ts';

/** A socket that is joined with others. */
export interface JoinedSocket {
  /** Its number in the HAR, from 1. */
  readonly number: number;
  readonly records: HarRecords;
}

/**
 * Makes sockets of one client a session with reconnects: orders them by time, and closes each one before the next one opens. A socket without a
 * recorded close gets one without a frame (1006) at the end of its entry.
 * @param path names the HAR in errors.
 * @throws {CaptureError} for two sockets that have frames at the same time.
 */
export function joinSockets(path: string, sockets: readonly JoinedSocket[]): readonly HarRecords[] {
  const ordered = sockets.toSorted((a, b) => a.records.startedAt - b.records.startedAt);
  return ordered.map((socket, i) => {
    const next = ordered[i + 1];
    if (next === undefined) return socket.records;
    refuseOverlap(path, socket, next);
    return closedBefore(socket.records, next.records.startedAt - socket.records.startedAt);
  });
}

function refuseOverlap(path: string, { number, records }: JoinedSocket, next: JoinedSocket): void {
  if (!records.hasTimes || !next.records.hasTimes) return;
  const last = records.records.findLast(({ type }) => type === 'recv' || type === 'send')?.t ?? 0;
  const overlap = records.startedAt + last - next.records.startedAt;
  if (overlap <= 0) return;
  throw new CaptureError(
    `${path}: WebSocket ${next.number} opens ${overlap / 1000} s before the last message of WebSocket ${number}; ` +
      'connections of one client do not overlap, so select one with --socket <n>',
  );
}

/** Returns the records of a socket that is closed at `limit` at the latest. */
function closedBefore({ records, endsAt, ...rest }: HarRecords, limit: number): HarRecords {
  const last = records.at(-1)?.t ?? 0;
  const close = records.find(({ type }) => type === 'close');
  const t = Math.min(limit, Math.max(last, endsAt ?? limit));
  const closed: readonly KnownRecord[] =
    close === undefined ? [...records, { t, type: 'close', code: NO_FRAME, reason: '' }] : records;
  return { ...rest, endsAt, records: closed.map((record) => notAfter(limit, record)) };
}

const notAfter = (limit: number, record: KnownRecord): KnownRecord =>
  record.t > limit ? { ...record, t: limit } : record;
