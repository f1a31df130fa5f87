import { ACTIONS } from '#shared/actions/actionTable.ts';
import {
  type CaptureHeader,
  type CaptureRecord,
  type FrameRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { type JsonObject, isJsonObject, isTooDeep, tryParseJson } from '#shared/json.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { kindOf } from '#shared/protocol/update.ts';
import { encodePng } from '#platform/assistant/pictures.ts';
import type { RedactionRules } from '../engine/appAdapter.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';

/** The advice after every redaction. */
export const REVIEW_OUTPUT =
  'Numbers, times, categories and field names are unchanged: review the output before you share it.\n';

interface Redaction {
  readonly aliases?: Aliases;
  readonly keepsTime?: boolean | undefined;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: { readonly redact?: RedactionRules | undefined } | undefined;
  readonly onRecords?: (count: number) => void;
}

/** Formats the redacted capture as a file, one piece for each part that is read. */
export async function* redactedText(
  { header, records }: CaptureReader,
  { aliases = createAliases(), keepsTime = false, adapter, onRecords }: Redaction,
): AsyncGenerator<string, void> {
  const codes = adapter && new Set(adapter.redact?.codes);
  yield `${JSON.stringify(redactHeader(header, aliases, keepsTime))}\n`;
  for await (const batch of records()) {
    onRecords?.(batch.length);
    yield batch.map((record) => `${JSON.stringify(redactRecord(record, aliases, codes))}\n`).join('');
  }
}

const HEADER_FIELDS = new Set(['format', 'version', 'startedAt', 'app']);
const RECORD_FIELDS = new Set(['t', 'type']);
const FRAME_FIELDS = new Set([...RECORD_FIELDS, 'encoding', 'data']);
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
    : JSON.stringify(redactValue(frame, aliases, { key: '', owner: {}, codes: codes ?? NONE }));
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

/** The place of a string: the name of its field, and the object with that field. */
interface Place {
  readonly key: string;
  readonly owner: JsonObject;
  /** The names of fields with codes of the program. */
  readonly codes: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** A code of the program: a text of one word. */
const CODE = /^[a-z][A-Za-z]{0,31}$/;

/**
 * Replaces the strings in a JSON value. Types, fields, their order and empty texts stay, and so does every value that is not
 * a string, except a number that JSON cannot encode.
 */
function redactValue(value: unknown, aliases: Aliases, place: Place): unknown {
  if (typeof value === 'string') return isKept(value, place) ? value : redactString(value, aliases, place);
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  if (Array.isArray(value)) return value.map((one) => redactValue(one, aliases, place));
  if (typeof value === 'object' && value !== null)
    return redactFields({ ...value }, aliases, { codes: place.codes });
  return value;
}

const isKept = (text: string, { key, codes }: Place) => text === '' || (codes.has(key) && CODE.test(text));

interface Kept {
  /** The fields of this object that stay. */
  readonly fields?: ReadonlySet<string>;
  /** The fields, at any depth, in which a code stays. */
  readonly codes?: ReadonlySet<string>;
}

/** Redacts an object's fields, except those that are kept. Supports a field named `__proto__`. */
function redactFields(
  owner: JsonObject,
  aliases: Aliases,
  { fields = NONE, codes = NONE }: Kept = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(owner).map(([key, value]) =>
      fields.has(key)
        ? [key, value]
        : [redactKey(key, aliases), redactValue(value, aliases, { key, owner, codes })],
    ),
  );
}

/**
 * Field names as programs write them: a lower-case letter first, then letters, at most two digits at the end. Any other key
 * may be data: a name, an address, an identifier.
 */
const FIELD_NAME = /^_{0,2}[a-z][A-Za-z_]{0,31}[0-9]{0,2}$/;

const redactKey = (key: string, aliases: Aliases) => (FIELD_NAME.test(key) ? key : aliases.of('key', key));

/** A plain word of a program, such as a category or a modifier. */
const PLAIN_WORD = /^[a-z][a-z0-9.+/-]{0,31}$/;

/** The close reasons of the specification: a replay's trace depends on `unauthorized`. */
const KNOWN_REASONS: ReadonlySet<string> = new Set(['unauthorized', 'logout']);

function redactString(text: string, aliases: Aliases, { key, owner }: Place): string {
  switch (key) {
    case 'category':
    case 'modifier':
      return PLAIN_WORD.test(text) ? text : aliases.of(key, text);
    case 'reason':
      return KNOWN_REASONS.has(text) ? text : aliases.of('reason', text);
    case 'person':
    case 'name':
      return aliases.of('person', text);
    case 'id':
    case 'context':
      return aliases.of(key, text);
    case 'html':
      return `<p>${aliases.of('html', text)}</p>`;
    case 'avatar':
      return picture(aliases.numberOf('picture', text));
    case 'blob':
      return redactBlob(text, aliases, owner);
    case 'text':
      return aliases.of(isFileName(owner) ? 'file' : 'text', text);
    default:
      return aliases.of('text', text);
  }
}

const categoryOf = ({ category }: JsonObject) => (typeof category === 'string' ? category : undefined);

/** Returns whether the text is a file name, as for images and files (spec §2.3, §2.4). A text update has no category. */
function isFileName(owner: JsonObject): boolean {
  const category = categoryOf(owner);
  return category !== undefined && ['image', 'file'].includes(displayedCategory(category));
}

function redactBlob(blob: string, aliases: Aliases, owner: JsonObject): string {
  const category = categoryOf(owner);
  if (category === 'image') return picture(aliases.numberOf('picture', blob));
  if (category === 'audio') return sound(aliases.numberOf('sound', blob));
  return content(aliases.numberOf('content', blob));
}

type Aliases = ReturnType<typeof createAliases>;

/** Creates the aliases of a capture's strings: the same original always gets the same alias; the empty text stays. */
export function createAliases() {
  const names = new Map<string, string>();
  const numbers = new Map<string, number>();
  const counts: Record<string, number> = {};
  const next = (kind: string): number => {
    const number = counts[kind] ?? 0;
    counts[kind] = number + 1;
    return number;
  };
  return {
    /** Returns an alias such as `text-0`. The kind is that of the place where the original occurred first. */
    of(kind: string, original: string): string {
      if (original === '') return '';
      const name = names.get(original) ?? `${kind}-${next(kind)}`;
      names.set(original, name);
      return name;
    },
    /** Returns the original's number, from 0; each kind of a placeholder file has its own numbers. */
    numberOf(kind: 'picture' | 'sound' | 'content', original: string): number {
      const key = `${kind} ${original}`;
      const number = numbers.get(key) ?? next(kind);
      numbers.set(key, number);
      return number;
    },
    /** Returns the number of originals of each kind. */
    counts: (): Readonly<Record<string, number>> => counts,
  };
}

/** Returns a PNG of one pixel, in base64; its color depends on the number. */
const picture = (number: number): string =>
  encodePng({
    width: 1,
    height: 1,
    at: () => [(number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff, 255],
  }).toString('base64');

const SAMPLES_PER_SECOND = 8000;

/** Returns a WAV of four samples, in base64: PCM, one channel, one byte per sample. The samples depend on the number. */
function sound(number: number): string {
  const file = Buffer.alloc(48);
  file.write('RIFF');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(4, 40);
  file.writeUInt32LE(number, 44);
  return file.toString('base64');
}

/** Returns a file that contains its number, in base64. */
const content = (number: number): string => Buffer.from(`content-${number}`).toString('base64');
