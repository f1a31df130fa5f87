import { displayedCategory } from '#shared/conversation/display.ts';
import type { JsonObject } from '#shared/isJsonObject.ts';
import type { Aliases } from './aliases.ts';
import { content, picture, sound } from './placeholders.ts';

/** Where a string stands: the name of its field, and the object that the field is in. */
interface Place {
  readonly key: string;
  readonly owner: JsonObject;
}

const NOWHERE: Place = { key: '', owner: {} };

/**
 * Any JSON value with its strings replaced and all else as it was: types, fields and their order, empty texts. What is
 * no string stays, but for a number that JSON cannot write again.
 */
export function redactValue(value: unknown, aliases: Aliases, place: Place = NOWHERE): unknown {
  if (typeof value === 'string') return value === '' ? '' : redactString(value, aliases, place);
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  if (Array.isArray(value)) return value.map((one) => redactValue(one, aliases, place));
  if (typeof value === 'object' && value !== null) return redactFields({ ...value }, aliases);
  return value;
}

/** An object's fields; those named in `kept` stay as they are. Built so that a field may be called `__proto__`. */
export function redactFields(
  owner: JsonObject,
  aliases: Aliases,
  kept: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(owner).map(([key, value]) =>
      kept.has(key) ? [key, value] : [redactKey(key, aliases), redactValue(value, aliases, { key, owner })],
    ),
  );
}

/**
 * Names of fields, as programs write them: lower case first, letters, two digits at most at the end. A key of another
 * look may be data: a name, an address, an identifier.
 */
const FIELD_NAME = /^_{0,2}[a-z][A-Za-z_]{0,31}[0-9]{0,2}$/;

const redactKey = (key: string, aliases: Aliases) => (FIELD_NAME.test(key) ? key : aliases.of('key', key));

/** A word out of a list that somebody programmed, as categories and modifiers are. */
const PLAIN_WORD = /^[a-z][a-z0-9.+/-]{0,31}$/;

/** What closes say in the specification: a replay's trace depends on the first. */
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
      return aliases.of(isNameOfFile(owner) ? 'file' : 'text', text);
    default:
      return aliases.of('text', text);
  }
}

const categoryOf = ({ category }: JsonObject) => (typeof category === 'string' ? category : undefined);

/** An image's or a file's text is its name (spec §2.3, §2.4). An update of a text alone says no category. */
function isNameOfFile(owner: JsonObject): boolean {
  const category = categoryOf(owner);
  return category !== undefined && ['image', 'file'].includes(displayedCategory(category));
}

function redactBlob(blob: string, aliases: Aliases, owner: JsonObject): string {
  const category = categoryOf(owner);
  if (category === 'image') return picture(aliases.numberOf('picture', blob));
  if (category === 'audio') return sound(aliases.numberOf('sound', blob));
  return content(aliases.numberOf('content', blob));
}
