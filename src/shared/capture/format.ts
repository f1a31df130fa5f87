/**
 * Captures (contract §6): a session as it was on the wire, UTF-8 NDJSON, `*.parley.jsonl`, perhaps gzipped. Line 1 is the
 * header, each further line a record. Unknown fields and record types are kept and skipped.
 */

export const CAPTURE_FORMAT = 'parley-capture';
/** The version that is written, and the newest that is read. */
export const CAPTURE_VERSION = 1;

export interface CaptureHeader {
  readonly format: typeof CAPTURE_FORMAT;
  readonly version: number;
  /** When the session was launched, ISO 8601. */
  readonly startedAt: string;
  /** The version of the program that recorded it. */
  readonly app: string;
}

interface Timed {
  /** Milliseconds since the session's launch, never decreasing. */
  readonly t: number;
}

/** A frame as it was on the wire; one that is not text is base64. */
export interface FrameRecord extends Timed {
  readonly type: 'recv' | 'send';
  readonly data: string;
  readonly encoding?: 'base64';
  /** Not a frame of the platform: the snapshot as it stood when the capture began in the middle of a session. */
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

/** A person's act or a state transition, as the store saw it; never a password, never the account identifier. */
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

/** Whether this version knows what a record means; its fields have been checked when it was parsed. */
export const isKnown = (record: CaptureRecord): record is KnownRecord => KNOWN.has(record.type);
