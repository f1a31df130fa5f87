import type { CaptureReader } from '../read/captureDecoder.ts';
import { type Aliases, redactFields, redactValue, rootPlace } from './redactValue.ts';
import { ACTIONS } from '#shared/actions/actionTable.ts';
import {
  type CaptureHeader,
  type CaptureRecord,
  type FrameRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { tryParseJson, isTooDeep, isJsonObject } from '#shared/json.ts';
import { kindOf } from '#shared/protocol/update.ts';
import type { RedactionRules } from '../engine/appAdapter.ts';

/** A redaction in progress. */
interface Redaction {
  readonly aliases: Aliases;
  readonly keepsTime: boolean;
  /** As in `redactRecord`. */
  readonly codes?: ReadonlySet<string> | undefined;
  /** The number of records so far. */
  records: number;
}

/** Formats the redacted capture as a file, one piece for each part that is read. */
export async function* redactedText(
  { header, records }: CaptureReader,
  redaction: Redaction,
): AsyncGenerator<string, void> {
  const { aliases, keepsTime, codes } = redaction;
  yield `${JSON.stringify(redactHeader(header, aliases, keepsTime))}\n`;
  for await (const batch of records()) {
    redaction.records += batch.length;
    yield batch.map((record) => `${JSON.stringify(redactRecord(record, aliases, codes))}\n`).join('');
  }
}

const HEADER_FIELDS = new Set(['format', 'version', 'startedAt', 'app']);
const RECORD_FIELDS = new Set(['t', 'type']);
const FRAME_FIELDS = new Set(['t', 'type', 'encoding', 'data']);
const ACTION_FIELDS = new Set(['type']);

/** The start time of every redacted capture. */
export const NO_TIME = new Date(0).toISOString();

/** Redacts the header; keeps its time only on request. */
export function redactHeader(header: CaptureHeader, aliases: Aliases, keepsTime: boolean): CaptureHeader {
  const { format, version } = header;
  const fields = redactFields({ ...header }, aliases, { fields: HEADER_FIELDS });
  // A text that is a time may contain words, too.
  const startedAt = keepsTime ? new Date(header.startedAt).toISOString() : NO_TIME;
  return { ...fields, format, version, startedAt, app: redactApp(header.app, aliases) };
}

/** The programs that record sessions, and those whose HARs are imported. */
const RECORDERS = /^(?:(?:parley-replay|WebInspector|Playwright|mitmproxy|HTTP Toolkit|Firefox) )?/;
/** A version without words that a person chose. */
const VERSION = /^\d{1,5}(?:\.\d{1,5}){0,3}(?:-(?:alpha|beta|rc|dev|next)[-.\d]{0,24})?$/;

/** Returns the name and the version of a known program; an alias of any other text. */
const redactApp = (app: string, aliases: Aliases): string =>
  VERSION.test(app.replace(RECORDERS, '')) ? app : aliases.of('app', app);

/** A type of records or actions as programs write it: words, separated by `/` or `:`. */
const TYPE = /^@{0,2}[A-Za-z][A-Za-z_-]{0,31}\d{0,2}(?:[/:][A-Za-z][A-Za-z_-]{0,31}\d{0,2}){0,4}$/;

const redactType = (type: string, aliases: Aliases): string =>
  TYPE.test(type) ? type : aliases.of('type', type);

/**
 * Replaces the personal data of a record with aliases. Its time, its kind, the order of its fields, and the reason for which
 * it is rejected stay the same.
 * @param codes for another app: the names of fields, in frames and actions, whose texts stay when they are codes of the program.
 */
export function redactRecord(
  record: CaptureRecord,
  aliases: Aliases,
  codes?: ReadonlySet<string>,
): CaptureRecord {
  const { t, type } = record;
  if (isKnown(record) && (record.type === 'recv' || record.type === 'send')) {
    const frame = { t, type, data: redactFrame(record, aliases, codes) };
    return { ...redactFields({ ...record }, aliases, { fields: FRAME_FIELDS }), ...frame };
  }
  if (isKnown(record) && record.type === 'action') {
    const kept = { fields: ACTION_FIELDS, codes: codes ?? codesOfAction(record.action.type) };
    const redacted = redactFields(record.action, aliases, kept);
    const action = { t, type, action: { ...redacted, type: redactType(record.action.type, aliases) } };
    return { ...redactFields({ ...record, action: {} }, aliases, { fields: RECORD_FIELDS }), ...action };
  }
  return {
    ...redactFields({ ...record }, aliases, { fields: RECORD_FIELDS }),
    t,
    type: redactType(type, aliases),
  };
}

/** Returns the fields of an action in which codes stay (docs/actions.md). */
const codesOfAction = (type: string) =>
  new Set(Object.hasOwn(ACTIONS, type) ? ACTIONS[type]?.recorded?.codes : []);

/** Replaces every frame that is rejected for its depth: such a frame is never traversed. */
const TOO_DEEP = '['.repeat(FRAME_DEPTH + 1) + ']'.repeat(FRAME_DEPTH + 1);

function redactFrame(
  { data, encoding }: FrameRecord,
  aliases: Aliases,
  codes: ReadonlySet<string> | undefined,
): string {
  if (encoding === 'base64') return Buffer.from(aliases.of('binary', data)).toString('base64');
  if (isTooDeep(data, FRAME_DEPTH)) return TOO_DEEP;
  const frame = tryParseJson(data);
  if (codes === undefined) useTextIds(frame);
  // A frame that is not JSON becomes an alias or the empty text, which are not JSON either.
  return frame === undefined
    ? aliases.of('frame', data)
    : JSON.stringify(redactValue(frame, aliases, rootPlace(codes)));
}

/**
 * Replaces numbers as ids of messages by their decimal text, as `decodeUpdate` does (contract §5): both forms then have the same alias. The
 * frame has just been parsed, so it has no other owner.
 */
function useTextIds(frame: unknown): void {
  for (const message of messagesOf(frame))
    if (isJsonObject(message) && typeof message.id === 'number')
      Object.assign(message, { id: String(message.id) });
}

/** Returns the messages in a frame: the frame itself, or those of a snapshot. */
function messagesOf(frame: unknown): readonly unknown[] {
  if (!isJsonObject(frame)) return [];
  const kind = kindOf(frame);
  if (kind === 'message') return [frame];
  return kind === 'snapshot' && Array.isArray(frame.messages) ? frame.messages : [];
}

/** Returns the names of the fields of another app whose texts stay; `undefined` for Parley. */
export const codesOf = (
  adapter: { readonly redact?: RedactionRules | undefined } | undefined,
): ReadonlySet<string> | undefined => adapter && new Set(adapter.redact?.codes);

/** The advice after every redaction. */
export const REVIEW_OUTPUT =
  'Numbers, times, categories and field names are unchanged: review the output before you share it.\n';
