import { displayedCategory } from '#shared/conversation/display.ts';
import type { JsonObject } from '#shared/json.ts';
import { encodePng } from '#platform/assistant/pictures.ts';

/** The place of a string: the name of its field, and the object with that field. */
interface Place {
  readonly key: string;
  readonly owner: JsonObject;
  /** The names of fields with codes of the program. */
  readonly codes: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the place of a whole value. @param codes the names of fields with codes of the program. */
export const rootPlace = (codes: ReadonlySet<string> = NONE): Place => ({ key: '', owner: {}, codes });

/** A code of the program: a text of one word. */
const CODE = /^[a-z][A-Za-z]{0,31}$/;

/**
 * Replaces the strings in a JSON value. Types, fields, their order and empty texts stay, and so does every value that is not
 * a string, except a number that JSON cannot encode.
 */
export function redactValue(value: unknown, aliases: Aliases, place: Place = rootPlace()): unknown {
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
export function redactFields(
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

/** The kind of an original; it is the first word of the alias. */
type AliasKind =
  | 'text'
  | 'html'
  | 'person'
  | 'context'
  | 'id'
  | 'file'
  | 'category'
  | 'modifier'
  | 'reason'
  | 'frame'
  | 'binary'
  | 'key'
  | 'app'
  | 'type';

/** Kinds that get a placeholder file instead of an alias; each kind has its own numbers. */
type PlaceholderKind = 'picture' | 'sound' | 'content';

/** The aliases of a capture's strings. The same original always has the same alias; the empty text stays. */
export interface Aliases {
  /** Returns an alias such as `text-0`. The kind is that of the place where the original occurred first. */
  of(kind: AliasKind, original: string): string;
  /** Returns the original's number within its kind, from 0. */
  numberOf(kind: PlaceholderKind, original: string): number;
  /** Returns the number of originals of each kind. */
  counts(): Readonly<Record<string, number>>;
}

/** Creates the aliases: the same value always gets the same alias. */
export function createAliases(): Aliases {
  const names = new Map<string, string>();
  const numbers = new Map<string, Map<string, number>>();
  const counted = new Map<string, number>();
  const next = (kind: string): number => {
    const number = counted.get(kind) ?? 0;
    counted.set(kind, number + 1);
    return number;
  };
  return {
    of(kind, original) {
      if (original === '') return '';
      const known = names.get(original);
      if (known !== undefined) return known;
      const name = `${kind}-${next(kind)}`;
      names.set(original, name);
      return name;
    },
    numberOf(kind, original) {
      const ofKind = numbers.get(kind) ?? new Map<string, number>();
      numbers.set(kind, ofKind);
      const number = ofKind.get(original) ?? next(kind);
      ofKind.set(original, number);
      return number;
    },
    counts: () => Object.fromEntries(counted),
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

/** Returns a WAV of four samples, in base64; the samples depend on the number. */
function sound(number: number): string {
  const samples = Buffer.alloc(4);
  samples.writeUInt32LE(number);
  const format = Buffer.alloc(16);
  // PCM, one channel, one byte per sample.
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(SAMPLES_PER_SECOND, 4);
  format.writeUInt32LE(SAMPLES_PER_SECOND, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const body = Buffer.concat([Buffer.from('WAVE'), riff('fmt ', format), riff('data', samples)]);
  return riff('RIFF', body).toString('base64');
}

/** Encodes a chunk of a RIFF file: its name, its length, its content. */
function riff(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, name);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** Returns a file that contains its number, in base64. */
const content = (number: number): string => Buffer.from(`content-${number}`).toString('base64');
