import { displayedCategory } from '#shared/conversation/display.ts';
import { type JsonObject, isJsonObject, isTooDeep, tryParseJson } from '#shared/json.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';

/**
 * The rules by which texts become aliases, for `redact` and for recorders inside other apps: it imports neither Node nor packages.
 */

/** A type of records or actions as programs write it: words, separated by `/` or `:`. */
const TYPE = /^@{0,2}[A-Za-z][A-Za-z_-]{0,31}\d{0,2}(?:[/:][A-Za-z][A-Za-z_-]{0,31}\d{0,2}){0,4}$/;

/** Returns a type as it is when it is written as programs write types; an alias of any other text. */
export const redactType = (type: string, aliases: Aliases): string =>
  TYPE.test(type) ? type : aliases.of('type', type);

/** Replaces every frame that is rejected for its depth: such a frame is never traversed. */
const TOO_DEEP = '['.repeat(FRAME_DEPTH + 1) + ']'.repeat(FRAME_DEPTH + 1);

/** Redacts the text of a frame. */
export function redactFrame(data: string, aliasing: Aliasing): string {
  if (isTooDeep(data, FRAME_DEPTH)) return TOO_DEEP;
  const parsed = tryParseJson(data);
  if (isEventFrame(parsed)) return redactEventFrame(parsed, aliasing);
  // A frame that is not JSON becomes an alias or the empty text, which are not JSON either.
  return parsed === undefined
    ? aliasing.aliases.of('frame', data)
    : JSON.stringify(redactJson(parsed, aliasing));
}

/** Redacts an event of an `EventSource`, whose data is usually JSON itself. */
export const redactEventFrame = ({ event, data, id }: EventFrame, aliasing: Aliasing): string =>
  JSON.stringify({
    event: redactType(event, aliasing.aliases),
    data: redactFrame(data, aliasing),
    ...(id !== undefined && { id: aliasing.aliases.of('id', id) }),
  });

/** An event of an `EventSource`, as a frame. */
export interface EventFrame {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

const isEventFrame = (value: unknown): value is EventFrame => {
  if (!isJsonObject(value) || typeof value.event !== 'string' || typeof value.data !== 'string') return false;
  const { event: _event, data: _data, id, ...rest } = value;
  return (id === undefined || typeof id === 'string') && Object.keys(rest).length === 0;
};

/** Redacts the value of a frame. */
export function redactJson(parsed: unknown, aliasing: Aliasing): unknown {
  const frame = aliasing.normalize === undefined ? parsed : aliasing.normalize(parsed);
  return redactValue(frame, { ...aliasing, key: '', owner: {} });
}

/** Redacts the reason of a close. */
export const redactReason = (reason: string, aliasing: Aliasing): string =>
  redactString(reason, { ...aliasing, key: 'reason', owner: {} });

/** Redacts a binary frame: returns the bytes of an alias, in base64. */
export const redactBinary = (data: string, aliases: Aliases): string => btoa(aliases.of('binary', data));

/** What decides about each text. */
export interface Aliasing {
  readonly aliases: Aliases;
  /** The names of fields, at any depth, with codes of the program, which stay, or with JSON, of which each text is replaced. */
  readonly codes?: ReadonlySet<string> | undefined;
  /** Returns a parsed frame with one form of each value that has several. */
  readonly normalize?: ((frame: unknown) => unknown) | undefined;
}

/** The place of a value: the name of its field, and the object with that field. */
interface Place extends Aliasing {
  readonly key: string;
  readonly owner: JsonObject;
}

/** A code of the program: a text of one word, or of words that programs join (`cards/moved`, `CARD_MOVED`). */
const CODE = /^(?=.{1,64}$)(?:[a-z][A-Za-z]*|[A-Z]+)(?:[_/:.-](?:[a-z][A-Za-z]*|[A-Z]+))*$/;

/** Returns whether a text is a code of the program. */
export const isCode = (text: string): boolean => CODE.test(text);

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
export function redactFields<Known extends object>(
  owner: JsonObject,
  known: Known,
  { aliases, codes }: Aliasing,
): Known {
  const redacted: Record<string, unknown> = {};
  for (const key of Object.keys(owner)) {
    if (Object.hasOwn(known, key)) redacted[key] = undefined;
    else setField(redacted, redactKey(key, aliases), redactValue(owner[key], { key, owner, aliases, codes }));
  }
  return Object.assign(redacted, known);
}

/** Sets a field, also one named `__proto__`. */
function setField(owner: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') owner[key] = value;
  else Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Field names as programs write them: a lower-case letter first, then letters, at most two digits at the end. Any other key
 * may be data: a name, an address, an identifier.
 */
const FIELD_NAME = /^_{0,2}[a-z][A-Za-z_]{0,31}[0-9]{0,2}$/;

/** Returns a field name as it is when it is written as programs write them; an alias of any other text. */
export const redactKey = (key: string, aliases: Aliases) =>
  FIELD_NAME.test(key) ? key : aliases.of('key', key);

/** A plain word of a program, such as a category, a modifier, or the format of a text. */
const PLAIN_WORD = /^[a-z][a-z0-9.+/-]{0,31}$/;

/** The close reasons of the specification: a replay's trace depends on `unauthorized`. */
const KNOWN_REASONS: ReadonlySet<string> = new Set(['unauthorized', 'logout']);

function redactString(text: string, { key, owner, aliases, codes }: Place): string {
  if (text === '') return text;
  if (codes?.has(key)) {
    if (isCode(text)) return text;
    const inner = isTooDeep(text, FRAME_DEPTH) ? undefined : tryParseJson(text);
    // The app parses it.
    if (typeof inner === 'object' && inner !== null)
      return JSON.stringify(redactValue(inner, { key, owner, aliases, codes }));
  }
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
  return btoa(`content-${aliases.numberOf('content', blob)}`);
}

/** The aliases of texts. */
export interface Aliases {
  /** Returns an alias such as `text-0`. The kind is that of the place where the original occurred first. The empty text stays. */
  of(kind: string, original: string): string;
  /** Returns the original's number, from 0; each kind has its own numbers. */
  numberOf(kind: string, original: string): number;
  /** Returns the alias of an original that has one. */
  find(original: string): string | undefined;
  /** Returns the number of originals of each kind. */
  counts(): Readonly<Record<string, number>>;
  /**
   * Forgets the originals that have not occurred since the last call, unless fewer than `least` have occurred since. The numbers of the forgotten ones are not
   * used again.
   */
  forgetOld(least: number): void;
}

/**
 * Creates the aliases of a capture's strings: the same original always gets the same alias; the empty text stays.
 * @param keyOf returns a shorter text that identifies an original, for recorders, which save memory.
 */
export function createAliases(keyOf: (original: string) => string = (original) => original): Aliases {
  let old = new Map<string, string | number>();
  let recent = new Map<string, string | number>();
  const counts = new Map<string, number>();
  const nextOf = (kind: string): number => {
    const number = counts.get(kind) ?? 0;
    counts.set(kind, number + 1);
    return number;
  };
  const remember = <Value extends string | number>(key: string, value: Value): Value => {
    recent.set(key, value);
    return value;
  };
  const recall = (key: string): string | number | undefined => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const earlier = old.get(key);
    return earlier === undefined ? undefined : remember(key, earlier);
  };
  const find = (original: string): string | undefined => {
    const known = recall(`=${keyOf(original)}`);
    return typeof known === 'string' ? known : undefined;
  };
  return {
    find,
    of: (kind, original) =>
      original === '' ? '' : (find(original) ?? remember(`=${keyOf(original)}`, `${kind}-${nextOf(kind)}`)),
    numberOf(kind, original) {
      const key = `${kind}=${keyOf(original)}`;
      const known = recall(key);
      return typeof known === 'number' ? known : remember(key, nextOf(kind));
    },
    counts: () => Object.fromEntries(counts),
    forgetOld(least) {
      if (recent.size < least) return;
      old = recent;
      recent = new Map();
    },
  };
}

/** The beginning of each PNG of one pixel (up to the length of its data), and its end. */
const PNG_START = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADw==';
const PNG_END = 'AAAAAElFTkSuQmCC';

/** The name of the chunk with the pixel, and the beginning of its data in zlib's format. */
const IDAT = [0x49, 0x44, 0x41, 0x54, 0x78, 1, 1, 4, 0, 0xfb, 0xff];

/** Returns a PNG of one pixel, in base64; its color depends on the number. */
function picture(number: number): string {
  const pixel = [0, (number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff];
  // The checksum of zlib's format (Adler-32): the sums stay below its modulus.
  let low = 1;
  let high = 0;
  for (const byte of pixel) high += low += byte;
  const data = [...IDAT, ...pixel, high >> 8, high & 0xff, low >> 8, low & 0xff];
  const check = crc32(data);
  const bytes = [...data, check >>> 24, (check >> 16) & 0xff, (check >> 8) & 0xff, check & 0xff];
  return btoa(atob(PNG_START) + String.fromCharCode(...bytes) + atob(PNG_END));
}

/** Returns the checksum of a PNG's chunk. */
function crc32(bytes: readonly number[]): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc;
}

/** The header of a WAV file: PCM, one channel of 8 bits, 8000 samples per second, of which the file has four. */
const WAV_HEADER = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAAA=';

/** Returns a WAV in base64; its samples depend on the number. */
const sound = (number: number): string =>
  btoa(
    atob(WAV_HEADER) +
      String.fromCharCode(number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff, number >>> 24),
  );
