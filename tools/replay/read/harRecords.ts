import type { CloseRecord, FrameRecord, KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import type { HarClose, HarMessage } from './harSchema.ts';
import { harTimes, toMilliseconds } from './harTimes.ts';
import type { HarSocket } from './readHar.ts';

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
