import type { CloseRecord, FrameRecord, KnownRecord } from '#shared/capture/format.ts';
import type { HarMessage } from './harSchema.ts';
import { harTimes } from './harTimes.ts';
import type { Har, HarSocket } from './readHar.ts';

/** The opcodes that a capture records (RFC 6455 §5.2); it omits pings, pongs and all others. */
export const OPCODE = { text: 1, binary: 2, close: 8 } as const;

/** The codes of a close without a close frame, and of one with an empty frame (RFC 6455 §7.4.1). */
export const NO_FRAME = 1006;
/** The close code when the peer sent none (RFC 6455). */
export const NO_CODE = 1005;

/** The records of a HAR. */
interface HarRecords {
  /** The beginning of the first socket, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly records: readonly KnownRecord[];
  /** The number of messages without a time in the HAR. */
  readonly unknownTimes: number;
}

/**
 * Converts sockets to records. A socket opens at 0, and closes if the HAR contains a close. Several sockets become one
 * session, one after the other.
 */
export function harRecords(
  sockets: readonly HarSocket[],
  { startedAt, launch }: Partial<Pick<Har, 'startedAt' | 'launch'>> = {},
): HarRecords {
  const records: KnownRecord[] = launch === undefined ? [] : [{ t: launch, type: 'launch' }];
  let begin = startedAt;
  let unknownTimes = 0;
  let previous = launch ?? 0;
  let isOpen = false;
  for (const { messages, startedAt: entryStart } of sockets) {
    const own = harTimes(
      messages.map(({ time }) => time),
      entryStart,
    );
    begin ??= own.startedAt;
    unknownTimes += own.unknown;
    const offset = own.startedAt - begin;
    const later = (t: number) => (previous = Math.max(previous, Math.round((offset + t) * 1000) / 1000));
    records.push({ t: later(0), type: 'open' });
    isOpen = true;
    messages.forEach((message, i) => {
      const record = recordOf(message, later(own.times[i] ?? 0));
      // Both sides send a close, and a failure may be recorded more than once: the first one counts.
      if (record === undefined || (record.type === 'close' && !isOpen)) return;
      if (record.type === 'close') isOpen = false;
      records.push(record);
    });
  }
  return { startedAt: begin ?? 0, records, unknownTimes };
}

function recordOf(message: HarMessage, t: number): FrameRecord | CloseRecord | undefined {
  const { type, opcode, data, _synthetic } = message;
  if (type === 'error') return { t, type: 'close', code: NO_FRAME, reason: '' };
  const direction = type === 'send' ? 'send' : 'recv';
  const synthetic = _synthetic && { synthetic: _synthetic };
  switch (opcode) {
    case OPCODE.text:
      return { t, type: direction, data, ...synthetic };
    case OPCODE.binary:
      return { t, type: direction, data, encoding: 'base64', ...synthetic };
    case OPCODE.close:
      return { t, type: 'close', ...closeOf(data) };
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
