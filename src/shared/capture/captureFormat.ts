import { roundTime } from '../clock.ts';
import type { LateRelease } from '../store/queue.ts';

/**
 * The capture format (contract §6): a session's frames as they were on the wire, in UTF-8 NDJSON (`*.parley.jsonl`, optionally gzipped).
 * Line 1 is the header; each further line is a record. Readers keep unknown fields, and keep but skip records of unknown types.
 */

/** The name of the format, in the header of every capture. */
export const CAPTURE_FORMAT = 'parley-capture';
/** The version that Parley writes, and the newest that it reads. */
export const CAPTURE_VERSION = 2;

/** The first line of a capture. */
export interface CaptureHeader {
  readonly format: typeof CAPTURE_FORMAT;
  readonly version: number;
  /** When the recording started, ISO 8601. */
  readonly startedAt: string;
  /** The program that recorded the session: the version of Parley, or the name and the version of another program. */
  readonly app: string;
}

interface Timed {
  /** Milliseconds since the start of the recording, never decreasing. */
  readonly t: number;
}

/** A record of one connection of an app that has several. */
interface OfSocket extends Timed {
  /** The number of the connection; absent for the first. */
  readonly socket?: number;
}

/** A frame as it was on the wire; a binary frame is encoded as base64. An event of an `EventSource` is the JSON of its `event`, `data` and `id`. */
export interface FrameRecord extends OfSocket {
  readonly type: 'recv' | 'send';
  readonly data: string;
  readonly encoding?: 'base64';
  /** Set on a snapshot that Parley wrote because the capture starts in the middle of a session. */
  readonly synthetic?: true;
}

/** The socket opened. */
export interface OpenRecord extends OfSocket {
  readonly type: 'open';
}

/** The socket closed. */
export interface CloseRecord extends OfSocket {
  readonly type: 'close';
  readonly code: number;
  readonly reason: string;
  /** When Parley connects again, in milliseconds since 1970. Absent after a close with a reason, and in older captures. */
  readonly retryAt?: number | undefined;
}

/** The session was launched: its ticks count from here. Without this record, as in version 1, they count from the start of the recording. */
export interface LaunchRecord extends Timed {
  readonly type: 'launch';
  /** Set when the capture starts in the middle of a session. */
  readonly synthetic?: true;
}

/**
 * An update was released late: no tick ran from `due` until here, because the program was busy. Every other update is released at its tick, before
 * the records at and after it. `due` and `tick` count from the launch.
 */
export interface ReleaseRecord extends LateRelease {
  readonly type: 'release';
}

/** A user action or a state transition, as dispatched to the store. Contains neither passwords nor the account identifier. */
export interface ActionRecord extends Timed {
  readonly type: 'action';
  readonly action: { readonly type: string; readonly payload?: unknown };
  /** The number of the window whose user action, or action of its state, it is. */
  readonly window?: number;
  /** Set on an action that rebuilds the state at the start of the capture. */
  readonly synthetic?: true;
}

/**
 * A part of an HTTP request of the app; exactly one of the fields after `id` is set. A streamed answer has a `response` without `body`, then chunks,
 * then `end`. The replay of a store answers requests with these records.
 */
export interface HttpRecord extends Timed {
  readonly type: 'http';
  /** The number of the request, which its records share. */
  readonly id: number;
  readonly request?: HttpRequest;
  readonly response?: HttpResponse;
  /** A piece of a streamed answer, when it arrived; bytes that are not text as base64, with `encoding`. */
  readonly chunk?: string;
  readonly encoding?: 'base64';
  /** Set when a streamed answer was complete. */
  readonly end?: true;
  /** The name of the error with which the request failed. */
  readonly error?: string;
}

/** A request; `body` only when it is text. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** An answer, when it was complete; without `body`, when a streamed one began. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly encoding?: 'base64';
}

/** The recording went on until here: timers that were due before it ran. */
export interface EndRecord extends Timed {
  readonly type: 'end';
}

/** A record that this version knows. */
export type KnownRecord =
  | FrameRecord
  | LaunchRecord
  | OpenRecord
  | CloseRecord
  | ReleaseRecord
  | ActionRecord
  | HttpRecord
  | EndRecord;

/** A record of a type that this version does not know. */
interface UnknownRecord extends Timed {
  readonly type: string;
}

/** A line of a capture after its header. */
export type CaptureRecord = KnownRecord | UnknownRecord;

const KNOWN: ReadonlySet<string> = new Set<KnownRecord['type']>([
  'recv',
  'send',
  'launch',
  'open',
  'close',
  'release',
  'action',
  'http',
  'end',
]);

/** Returns whether this version knows the record's type. The parser has validated the fields of known types. */
export const isKnown = (record: CaptureRecord): record is KnownRecord => KNOWN.has(record.type);

/** Returns whether a record is one of another connection than the first. */
export const isOfOtherSocket = (record: CaptureRecord): boolean =>
  'socket' in record && record.socket !== undefined && record.socket !== 1;

/** Returns a capture's first line, with its newline. */
export const headerLine = ({ format, version, startedAt, app }: CaptureHeader): string =>
  `${JSON.stringify({ format, version, startedAt, app })}\n`;

/** Returns a record's line, with its newline; returns a gap when escaping makes the line longer than the maximum length of a string. */
export function recordLine(record: KnownRecord): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (error) {
    // The line is longer than the maximum length of a string.
    if (error instanceof RangeError) return gapLine(record.t, 1);
    throw error;
  }
}

/** Returns the line that replaces `lost` records. Readers skip it. */
export const gapLine = (t: number, lost: number): string => `${JSON.stringify({ t, type: 'gap', lost })}\n`;

/** Lines are joined up to this many characters. */
const PIECE_LENGTH = 256 * 1024;

/** Joins lines into pieces, each of which is written at once. A long line becomes a piece of its own. */
export function* inPieces(lines: Iterable<string>): Generator<string, void> {
  let piece = '';
  for (const line of lines) {
    if (piece !== '' && piece.length + line.length > PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
    piece += line;
  }
  if (piece !== '') yield piece;
}

/** Converts the time of a record, or of a tick, to the time since the launch. Inverts {@link captureTime} exactly. */
export const timeSinceLaunch = (t: number, launchedAt: number): number =>
  launchedAt === 0 ? t : roundTime(t - launchedAt);

/** Converts a time since the launch to the time in the capture. */
export const captureTime = (sinceLaunch: number, launchedAt: number): number =>
  launchedAt === 0 ? sinceLaunch : roundTime(launchedAt + sinceLaunch);
