import {
  type CaptureHeader,
  type CaptureRecord,
  type FrameRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { type JsonObject, isJsonObject, isTooDeep, tryParseJson } from '#shared/json.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { encodePng } from '#platform/assistant/pictures.ts';
import type { RedactionRules } from '../engine/appAdapter.ts';
import { redactHttp } from './redactHttp.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';

/** The advice after every redaction. */
export const REVIEW_OUTPUT =
  'Numbers, times, categories and field names are unchanged: review the output before you share it.\n';

interface Redaction {
  readonly aliases?: Aliases;
  readonly keepsTime?: boolean | undefined;
  /** The rules of the app's adapter. */
  readonly rules: RedactionRules | undefined;
  readonly onRecords?: (count: number) => void;
}

/** Formats the redacted capture as a file, one piece for each part that is read. */
export async function* redactedText(
  { header, records }: CaptureReader,
  { aliases = createAliases(), keepsTime = false, rules, onRecords }: Redaction,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(redactHeader(header, aliases, keepsTime))}\n`;
  for await (const batch of records()) {
    onRecords?.(batch.length);
    yield batch.map((record) => `${JSON.stringify(redactRecord(record, aliases, rules))}\n`).join('');
  }
}

/** The start time of every redacted capture. */
export const NO_TIME = new Date(0).toISOString();

/** Redacts the header; keeps its time only on request. */
export function redactHeader(header: CaptureHeader, aliases: Aliases, keepsTime: boolean): CaptureHeader {
  const { format, version } = header;
  // A text that is a time may contain words, too.
  const startedAt = keepsTime ? new Date(header.startedAt).toISOString() : NO_TIME;
  return redactFields(
    { ...header },
    { format, version, startedAt, app: redactApp(header.app, aliases) },
    { aliases },
  );
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
 */
export function redactRecord(
  record: CaptureRecord,
  aliases: Aliases,
  rules: RedactionRules = NO_RULES,
): CaptureRecord {
  const content = redactContent(record, aliases, rules);
  const type = redactType(record.type, aliases);
  return redactFields({ ...record }, { t: record.t, type, ...content }, { aliases });
}

const NO_RULES: RedactionRules = { codes: [] };

/** Redacts the fields of a record that have rules of their own. */
function redactContent(record: CaptureRecord, aliases: Aliases, rules: RedactionRules): object {
  if (!isKnown(record)) return {};
  if (record.type === 'recv' || record.type === 'send')
    return {
      data: redactFrame(record, aliases, rules),
      ...(record.encoding && { encoding: record.encoding }),
    };
  if (record.type === 'http') {
    const ofBody = (data: string) => redactFrame({ data }, aliases, { codes: rules.codes });
    return redactHttp(record, { ...aliases, ofBody, ofName: (name) => redactKey(name, aliases) });
  }
  if (record.type !== 'action') return {};
  const { action } = record;
  const type = redactType(action.type, aliases);
  const codes = new Set([...rules.codes, ...(rules.codesOf?.(action.type) ?? [])]);
  return { action: redactFields(action, { type }, { aliases, codes }) };
}

/** Replaces every frame that is rejected for its depth: such a frame is never traversed. */
const TOO_DEEP = '['.repeat(FRAME_DEPTH + 1) + ']'.repeat(FRAME_DEPTH + 1);

type Data = Pick<FrameRecord, 'data' | 'encoding'>;

function redactFrame({ data, encoding }: Data, aliases: Aliases, rules: RedactionRules): string {
  if (encoding === 'base64') return Buffer.from(aliases.of('binary', data)).toString('base64');
  if (isTooDeep(data, FRAME_DEPTH)) return TOO_DEEP;
  const parsed = tryParseJson(data);
  const frame = rules.normalize === undefined ? parsed : rules.normalize(parsed);
  if (isServerEvent(frame)) return JSON.stringify(redactEvent(frame, aliases, rules));
  // A frame that is not JSON becomes an alias or the empty text, which are not JSON either.
  return frame === undefined
    ? aliases.of('frame', data)
    : JSON.stringify(redactValue(frame, { key: '', owner: {}, aliases, codes: new Set(rules.codes) }));
}

/** An event of an `EventSource`, whose `data` is often JSON. */
interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

const isServerEvent = (frame: unknown): frame is ServerEvent =>
  isJsonObject(frame) &&
  typeof frame.event === 'string' &&
  typeof frame.data === 'string' &&
  Object.keys(frame).every((name) => ['event', 'data', 'id'].includes(name));

const redactEvent = ({ event, data, id }: ServerEvent, aliases: Aliases, rules: RedactionRules) => ({
  event: CODE.test(event) ? event : aliases.of('event', event),
  data: redactFrame({ data }, aliases, { codes: rules.codes }),
  ...(id !== undefined && { id: aliases.of('id', id) }),
});

interface Aliasing {
  readonly aliases: Aliases;
  /** The names of fields, at any depth, with codes of the program, which stay. */
  readonly codes?: ReadonlySet<string> | undefined;
}

/** The place of a value: the name of its field, and the object with that field. */
interface Place extends Aliasing {
  readonly key: string;
  readonly owner: JsonObject;
}

/** A code of the program: a text of one word. */
const CODE = /^[a-z][A-Za-z]{0,31}$/;

/**
 * Replaces the strings in a JSON value. Types, fields, their order and empty texts stay, and so does every value that is not
 * a string, except a number that JSON cannot encode.
 */
function redactValue(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return redactString(value, place);
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  if (Array.isArray(value)) return value.map((one) => redactValue(one, place));
  return isJsonObject(value) ? redactFields(value, {}, place) : value;
}

/** Redacts an object's fields, except the known ones, which get these values. Supports a field named `__proto__`. */
function redactFields<Known extends object>(
  owner: JsonObject,
  known: Known,
  { aliases, codes }: Aliasing,
): Known {
  const redacted = Object.entries(owner).map(([key, value]) =>
    Object.hasOwn(known, key)
      ? [key, value]
      : [redactKey(key, aliases), redactValue(value, { key, owner, aliases, codes })],
  );
  return { ...Object.fromEntries(redacted), ...known };
}

/**
 * Field names as programs write them: a lower-case letter first, then letters, at most two digits at the end. Any other key
 * may be data: a name, an address, an identifier.
 */
const FIELD_NAME = /^_{0,2}[a-z][A-Za-z_]{0,31}[0-9]{0,2}$/;

const redactKey = (key: string, aliases: Aliases) => (FIELD_NAME.test(key) ? key : aliases.of('key', key));

/** A plain word of a program, such as a category, a modifier, or the format of a text. */
const PLAIN_WORD = /^[a-z][a-z0-9.+/-]{0,31}$/;

/** The close reasons of the specification: a replay's trace depends on `unauthorized`. */
const KNOWN_REASONS: ReadonlySet<string> = new Set(['unauthorized', 'logout']);

function redactString(text: string, { key, owner, aliases, codes }: Place): string {
  if (text === '' || (codes?.has(key) && CODE.test(text))) return text;
  const alias = (kind: string) => aliases.of(kind, text);
  switch (key) {
    case 'category':
    case 'modifier':
    case 'format':
      return PLAIN_WORD.test(text) ? text : alias(key);
    case 'action':
      return owner.notice === true && PLAIN_WORD.test(text) ? text : alias('text');
    case 'reason':
      return KNOWN_REASONS.has(text) ? text : alias(key);
    case 'html':
      return `<p>${alias('html')}</p>`;
    case 'avatar':
      return picture(aliases.numberOf('picture', text));
    case 'blob':
      return redactBlob(text, aliases, owner.category);
    case 'text':
      return alias(isFileName(owner.category) ? 'file' : 'text');
    case 'person':
    case 'name':
      return alias('person');
    case 'id':
    case 'context':
      return alias(key);
    default:
      return alias('text');
  }
}

/** Returns whether the text is a file name, as for images and files (spec §2.3, §2.4). A text update has no category. */
const isFileName = (category: unknown): boolean =>
  typeof category === 'string' && ['image', 'file'].includes(displayedCategory(category));

function redactBlob(blob: string, aliases: Aliases, category: unknown): string {
  if (category === 'image') return picture(aliases.numberOf('picture', blob));
  if (category === 'audio') return sound(aliases.numberOf('sound', blob));
  return Buffer.from(`content-${aliases.numberOf('content', blob)}`).toString('base64');
}

type Aliases = ReturnType<typeof createAliases>;

/** Creates the aliases of a capture's strings: the same original always gets the same alias; the empty text stays. */
export function createAliases() {
  const names = new Map<string, string>();
  /** The numbers of the originals of each kind. */
  const numbers = new Map<string, Map<string, number>>();
  /** Returns the original's number, from 0; each kind has its own numbers. */
  const numberOf = (kind: string, original: string): number => {
    const ofKind = numbers.get(kind) ?? new Map<string, number>();
    const number = ofKind.get(original) ?? ofKind.size;
    numbers.set(kind, ofKind.set(original, number));
    return number;
  };
  return {
    numberOf,
    /** Returns the alias that an original already has. */
    known: (original: string): string | undefined => names.get(original),
    /** Returns an alias such as `text-0`. The kind is that of the place where the original occurred first. */
    of(kind: string, original: string): string {
      if (original === '') return '';
      const name = names.get(original) ?? `${kind}-${numberOf(kind, original)}`;
      names.set(original, name);
      return name;
    },
    /** Returns the number of originals of each kind. */
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...numbers].map(([kind, { size }]) => [kind, size])),
  };
}

/** Returns a PNG of one pixel, in base64; its color depends on the number. */
const picture = (number: number): string =>
  encodePng({
    width: 1,
    height: 1,
    at: () => [(number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff, 255],
  }).toString('base64');

/** The header of a WAV file: PCM, one channel of 8 bits, 8000 samples per second, of which the file has four. */
const WAV_HEADER = Buffer.from('UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAAA=', 'base64');

/** Returns a WAV in base64; its samples depend on the number. */
function sound(number: number): string {
  const samples = Buffer.alloc(4);
  samples.writeUInt32LE(number);
  return Buffer.concat([WAV_HEADER, samples]).toString('base64');
}
