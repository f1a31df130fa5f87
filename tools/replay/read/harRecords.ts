import type { CloseRecord, FrameRecord, KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import type { HarClose, HarMessage, HarSocket } from './readHar.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { CaptureError } from './captureDecoder.ts';

/** The opcodes that are converted (RFC 6455 §5.2); pings and all others are omitted. */
export const OPCODE = { text: 1, binary: 2, close: 8, pong: 10 } as const;

/** The codes of a close without a close frame, and of one with an empty frame (RFC 6455 §7.4.1). */
export const NO_FRAME = 1006;
/** The close code when the peer sent none (RFC 6455). */
export const NO_CODE = 1005;

/** The records of one socket of a HAR. */
export interface HarRecords {
  /** The beginning of the socket, milliseconds since the epoch. */
  readonly startedAt: number;
  /** The end of the HAR's entry, milliseconds since `startedAt`, if known. */
  readonly endsAt: number | undefined;
  /** First `open`, then the others in the order of time; `t` counts from `startedAt`. */
  readonly records: readonly KnownRecord[];
  /** Whether the HAR contains the time of a message. */
  readonly hasTimes: boolean;
  /** The number of messages without a time in the HAR. */
  readonly unknownTimes: number;
  /** The number of messages that were not in the order of their times. */
  readonly unsorted: number;
}

/**
 * Converts a socket to records. It opens at 0, and closes if the HAR contains a close.
 * @param confirms whether the first pong confirms the connection, as the app records it.
 */
export function harRecords(socket: HarSocket, confirms = false): HarRecords {
  const { messages, startedAt: entryStart, endedAt, close } = socket;
  const own = harTimes(
    messages.map(({ time }) => time),
    entryStart,
  );
  const { order, unsorted } = byTime(own.times);
  const records: KnownRecord[] = [{ t: 0, type: 'open' }];
  const known = { isOpen: true, isConfirmed: !confirms };
  let last = 0;
  for (const i of order) {
    const message = messages[i];
    if (message === undefined) continue;
    last = Math.max(last, own.times[i] ?? 0);
    const record = recordOf(message, last);
    if (record === undefined || isRepeated(record, known)) continue;
    records.push(record);
  }
  const endsAt = endedAt === undefined ? undefined : endedAt - own.startedAt;
  if (known.isOpen && close !== undefined) {
    const t = Math.max(last, closeTime(close, own.startedAt) ?? endsAt ?? last);
    records.push({ t, type: 'close', ...closeFields(close) });
  }
  const { startedAt, unknown: unknownTimes } = own;
  return { startedAt, endsAt, records, hasTimes: unknownTimes < messages.length, unknownTimes, unsorted };
}

/** Returns the indices of times in the order of time; equal times keep their order. */
function byTime(times: readonly number[]) {
  const order = times.map((_, i) => i);
  let latest = 0;
  let unsorted = 0;
  for (const time of times) {
    if (time < latest) unsorted++;
    else latest = time;
  }
  if (unsorted > 0) order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  return { order, unsorted };
}

/** Both sides send a close, a failure may be recorded more than once, and only the first pong confirms the connection. */
function isRepeated({ type }: KnownRecord, known: { isOpen: boolean; isConfirmed: boolean }): boolean {
  if (type !== 'close' && type !== 'action') return false;
  const isFirst = type === 'close' ? known.isOpen : !known.isConfirmed;
  if (type === 'close') known.isOpen = false;
  else known.isConfirmed = true;
  return !isFirst;
}

function recordOf({ type, opcode, data, _synthetic }: HarMessage, t: number): KnownRecord | undefined {
  if (type === 'error') return { t, type: 'close', code: NO_FRAME, reason: '' };
  const direction: FrameRecord['type'] = type === 'send' ? 'send' : 'recv';
  const synthetic = _synthetic && { synthetic: _synthetic };
  switch (opcode) {
    case OPCODE.text:
      return { t, type: direction, data, ...synthetic };
    case OPCODE.binary:
      return { t, type: direction, data, encoding: 'base64', ...synthetic };
    case OPCODE.close:
      return { t, type: 'close', ...closeOf(data) };
    case OPCODE.pong:
      return direction === 'recv' ? { t, type: 'action', action: connectionConfirmed() } : undefined;
    default:
      return undefined;
  }
}

/** Decodes the payload of a close frame: two bytes of code, then the reason. */
function closeOf(base64: string): Pick<CloseRecord, 'code' | 'reason'> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 2) return { code: NO_CODE, reason: '' };
  return { code: bytes.readUInt16BE(0), reason: bytes.subarray(2).toString() };
}

const closeFields = (close: HarClose): Pick<CloseRecord, 'code' | 'reason'> =>
  close === 'aborted'
    ? { code: NO_FRAME, reason: '' }
    : { code: close.code ?? NO_CODE, reason: close.reason ?? '' };

/** Returns the time of a close since the beginning of the socket, unless it is from another clock. */
function closeTime(close: HarClose, startedAt: number): number | undefined {
  const time = close === 'aborted' ? undefined : toMilliseconds(close.timestamp ?? -1);
  return time === undefined || time < startedAt ? undefined : time - startedAt;
}

/** Larger times are milliseconds: as seconds they would be after the year 5138, as milliseconds they are after 1973. */
const FIRST_MILLISECONDS = 1e11;
/** When an entry began longer than this before its first message, its time comes from another clock. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Converts a HAR's time, seconds or milliseconds since the epoch, to milliseconds; returns `undefined` for a missing time. */
function toMilliseconds(time: number): number | undefined {
  if (!(time >= 0)) return undefined;
  return time > FIRST_MILLISECONDS ? time : time * 1000;
}

/** The times of the messages of a HAR. */
interface HarTimes {
  /** The beginning, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Each message's time since then, milliseconds; decreases where the HAR's times do. */
  readonly times: readonly number[];
  /** The number of messages without a time. */
  readonly unknown: number;
}

/**
 * Computes the messages' times since the beginning of the socket, or since the first message when the beginning is unknown.
 * A message without a time gets that of the message before it. When no message has a time, they are one tick apart.
 */
function harTimes(times: readonly number[], entryStart: number | undefined): HarTimes {
  const known = times.map(toMilliseconds);
  const first = known.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined);
  const startedAt = startOf(first, entryStart);
  const gap = first === undefined ? QUEUE_TICK_MS : 0;
  let previous = 0;
  return {
    startedAt,
    unknown: known.filter((time) => time === undefined).length,
    times: known.map((time) => {
      previous = time === undefined ? previous + gap : toMicroseconds(time - startedAt);
      return previous;
    }),
  };
}

function startOf(first: number | undefined, entryStart: number | undefined): number {
  if (first === undefined) return entryStart ?? 0;
  if (entryStart === undefined || entryStart > first || first - entryStart > DAY_MS) return first;
  return entryStart;
}

/** Rounds to microseconds: a double has seconds since the epoch to a quarter of a microsecond. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

/** A socket that is joined with others. */
interface JoinedSocket {
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
