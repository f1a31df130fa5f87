/**
 * The capture format (contract §6): a session's frames as they were on the wire, in UTF-8 NDJSON (`*.parley.jsonl`, optionally gzipped).
 * Line 1 is the header; each further line is a record. Readers keep unknown fields, and keep but skip records of unknown types.
 */

export const CAPTURE_FORMAT = 'parley-capture';
/** The version that Parley writes, and the newest that it reads. */
export const CAPTURE_VERSION = 1;

export interface CaptureHeader {
  readonly format: typeof CAPTURE_FORMAT;
  readonly version: number;
  /** When the session was launched, ISO 8601. */
  readonly startedAt: string;
  /** The version of the program that recorded the session. */
  readonly app: string;
}

interface Timed {
  /** Milliseconds since the session's launch, never decreasing. */
  readonly t: number;
}

/** A frame as it was on the wire; a binary frame is encoded as base64. */
export interface FrameRecord extends Timed {
  readonly type: 'recv' | 'send';
  readonly data: string;
  readonly encoding?: 'base64';
  /** Set on a snapshot that Parley wrote because the capture starts in the middle of a session. */
  readonly synthetic?: true;
}

export interface OpenRecord extends Timed {
  readonly type: 'open';
}

export interface CloseRecord extends Timed {
  readonly type: 'close';
  readonly code: number;
  readonly reason: string;
}

/** An act or a state transition, as dispatched to the store. Contains neither passwords nor the account identifier. */
export interface ActionRecord extends Timed {
  readonly type: 'action';
  readonly action: { readonly type: string; readonly payload?: unknown };
}

/** A record that this version knows. */
export type KnownRecord = FrameRecord | OpenRecord | CloseRecord | ActionRecord;

/** A record of a type that this version does not know. */
export interface UnknownRecord extends Timed {
  readonly type: string;
}

export type CaptureRecord = KnownRecord | UnknownRecord;

const KNOWN: ReadonlySet<string> = new Set<KnownRecord['type']>(['recv', 'send', 'open', 'close', 'action']);

/** Returns whether this version knows the record's type. The parser has validated the fields of known types. */
export const isKnown = (record: CaptureRecord): record is KnownRecord => KNOWN.has(record.type);
