import { z } from 'zod';
import { type JsonObject, isJsonObject, tryParseJson, isTooDeep } from '../json.ts';
import { FRAME_DEPTH, QUEUE_TICK_MS } from '../limits.ts';
import { CAPTURE_FORMAT, CAPTURE_VERSION, type CaptureHeader, type CaptureRecord } from './captureFormat.ts';

/** Reports an invalid line. `message` says what is wrong, without the line's contents. */
export class CaptureLineError extends Error {
  override readonly name: string = 'CaptureLineError';
}

/** Reports a record whose time is before that of the one before it. */
export class TimeOrderError extends CaptureLineError {
  override readonly name: string = 'TimeOrderError';
}

const headerSchema = z.looseObject({
  format: z.literal(CAPTURE_FORMAT, { error: 'is not the header of a Parley capture' }),
  version: z.int({ error: 'has no version' }).min(1, { error: 'has no version' }),
  startedAt: z.string({ error: 'has no startedAt' }).refine((text) => !Number.isNaN(Date.parse(text)), {
    error: 'has a startedAt that is not a time',
  }),
  app: z.string({ error: 'has no app' }),
});

/** Parses the lines of one capture: first the header, then each record. */
export interface CaptureParser {
  /** @throws {CaptureLineError} for another format, a newer version or a broken header. */
  header(line: string): CaptureHeader;
  /** @throws {CaptureLineError} for a missing field, a field of the wrong type, or a time before that of the previous record. */
  record(line: string): CaptureRecord;
}

/** Creates a parser for one capture. It returns records of older versions in the current version's form. */
export function captureParser(): CaptureParser {
  let upgrade = upgradeFrom(CAPTURE_VERSION);
  let previous = 0;
  return {
    header(line) {
      const checked = headerSchema.safeParse(fieldsOf(line));
      if (!checked.success) throw new CaptureLineError(checked.error.issues[0]?.message);
      const { version } = checked.data;
      if (version > CAPTURE_VERSION) {
        throw new CaptureLineError(`has version ${version}; this Parley reads up to ${CAPTURE_VERSION}`);
      }
      upgrade = upgradeFrom(version);
      return checked.data;
    },
    record(line) {
      const record = checkRecord(upgrade(fieldsOf(line)));
      if (record.t < previous) throw new TimeOrderError(`goes back in time, from ${previous} to ${record.t}`);
      previous = record.t;
      return record;
    },
  };
}

function fieldsOf(line: string): JsonObject {
  const frame = frameFields(line);
  if (frame !== undefined) return frame;
  // Later code walks records recursively.
  if (isTooDeep(line, FRAME_DEPTH)) throw new CaptureLineError(`is nested deeper than ${FRAME_DEPTH} levels`);
  const value = tryParseJson(line);
  if (value === undefined) throw new CaptureLineError('is not JSON');
  if (!isJsonObject(value)) throw new CaptureLineError('is not an object');
  return value;
}

const FRAME_START = '{"t":';
/** Ends with the quote that begins the text of the frame. */
const FRAME_DATA = ',"type":"recv","data":"';
/** The end of the longest number of a time, in a frame's line. */
const TIME_END = 30;

/**
 * Returns the fields of a received frame's line as recorders write it, `undefined` for every other line. Most lines are such frames: their number and
 * their text, which nest nothing, are parsed alone, in two thirds to four fifths of the time of the line.
 */
function frameFields(line: string): JsonObject | undefined {
  const end = line.indexOf(FRAME_DATA);
  if (end === -1 || end > TIME_END || !line.startsWith(FRAME_START) || !line.endsWith('}')) return undefined;
  const t = tryParseJson(line.slice(FRAME_START.length, end));
  const data = tryParseJson(line.slice(end + FRAME_DATA.length - 1, -1));
  return typeof t === 'number' && typeof data === 'string' ? { t, type: 'recv', data } : undefined;
}

/** Validates a record. Does not use zod, because a replay reads a million records (docs/adr/0007). */
function checkRecord(record: JsonObject): CaptureRecord {
  if (record.format === CAPTURE_FORMAT && record.type === undefined)
    throw new CaptureLineError('is a second header; a capture has one, in its first line');
  if (typeof record.t !== 'number' || !Number.isFinite(record.t))
    throw new CaptureLineError('has no time `t`');
  if (record.t < 0) throw new CaptureLineError(`has the time ${record.t}; a time is 0 or more`);
  if (typeof record.type !== 'string') throw new CaptureLineError('has no `type`');
  const missing = missingOf(record.type, record);
  if (missing !== undefined) throw new CaptureLineError(`is of type ${record.type} without ${missing}`);
  // Each field of the type has just been validated.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return record as JsonObject & CaptureRecord;
}

/** Returns what a record of this type lacks, or `undefined`. Records of unknown types lack nothing. */
function missingOf(type: string, record: JsonObject): string | undefined {
  const { data, encoding, code, reason, retryAt, action, window, update, due, tick } = record;
  switch (type) {
    case 'recv':
    case 'send':
      if (typeof data !== 'string') return '`data`';
      return isBase64OrNone(encoding) ? socketProblem(record) : 'an `encoding` of base64';
    case 'open':
      return socketProblem(record);
    case 'close':
      if (typeof code !== 'number' || typeof reason !== 'string') return '`code` and `reason`';
      return retryAt === undefined || isTime(retryAt) ? socketProblem(record) : 'a `retryAt` that is a time';
    case 'release':
      if (!Number.isSafeInteger(update)) return 'an `update` that is a number';
      return isTick(due) && isTick(tick) ? undefined : 'a `due` and a `tick` that are ticks';
    case 'action':
      if (!isAction(action)) return '`action.type`';
      return window === undefined || Number.isSafeInteger(window) ? undefined : 'a `window` that is a number';
    case 'http':
      return httpProblem(record);
    default:
      return undefined;
  }
}

const isBase64OrNone = (encoding: unknown) => encoding === undefined || encoding === 'base64';

const isPositive = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;

const socketProblem = ({ socket }: JsonObject) =>
  socket === undefined || isPositive(socket) ? undefined : 'a `socket` that is a number';

const HTTP_PARTS = {
  request: (value: unknown) =>
    isJsonObject(value) &&
    typeof value.method === 'string' &&
    typeof value.url === 'string' &&
    isTextOrNone(value.body),
  response: (value: unknown) =>
    isJsonObject(value) &&
    Number.isSafeInteger(value.status) &&
    (value.headers === undefined ||
      (isJsonObject(value.headers) &&
        Object.values(value.headers).every((text) => typeof text === 'string'))) &&
    isTextOrNone(value.body) &&
    isBase64OrNone(value.encoding),
  chunk: (value: unknown) => typeof value === 'string',
  end: (value: unknown) => value === true,
  error: (value: unknown) => typeof value === 'string',
};

const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string';

/** Returns what a record of an HTTP request lacks: it has a number and exactly one part. */
function httpProblem(record: JsonObject): string | undefined {
  if (!isPositive(record.id)) return 'an `id` that is a number';
  if (!isBase64OrNone(record.encoding)) return 'an `encoding` of base64';
  const parts = Object.entries(HTTP_PARTS).filter(([name]) => record[name] !== undefined);
  const [part] = parts;
  if (part === undefined || parts.length > 1) return `exactly one of ${Object.keys(HTTP_PARTS).join(', ')}`;
  const [name, isValid] = part;
  return isValid(record[name]) ? undefined : `a valid \`${name}\``;
}

const isTime = (value: unknown) => typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

const isTick = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) % QUEUE_TICK_MS === 0;

const isAction = (action: unknown) =>
  typeof action === 'object' && action !== null && 'type' in action && typeof action.type === 'string';

/** Converts a record of one version into one of the next. A new version adds a step to `STEPS` under its predecessor's number. */
export type Upgrade = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Upgrade>> = {
  /**
   * Version 1 starts at the launch: without a `launch` record, ticks count from the start of the recording. No record is inserted, because
   * each record is a line of its file: redaction, `minimize` and the inspector's line numbers depend on it.
   */
  1: (record) => record,
};

/** Returns the function that converts a record of `version` to the current version: all steps between them, in order. */
export function upgradeFrom(version: number, steps = STEPS, current = CAPTURE_VERSION): Upgrade {
  const between = Array.from({ length: current - version }, (_, i) => steps[version + i]);
  if (between.length === 0) return (record) => record;
  return (record) => between.reduce((fields, step) => step?.(fields) ?? fields, record);
}
