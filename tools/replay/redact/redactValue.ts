import { displayedCategory } from '#shared/conversation/display.ts';
import type { JsonObject } from '#shared/isJsonObject.ts';
import type { Aliases } from './aliases.ts';
import { content, picture, sound } from './placeholders.ts';

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
