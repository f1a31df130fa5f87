/*
 * The fold of updates, written from spec §6.1 without product code: their kinds in order, their fields, and their effects on mutable lists. Slow and simple, for
 * comparison with the product.
 */

type Fields = Record<string, unknown>;

/** A conversation that may be written to. */
export interface Folded {
  person: unknown;
  messages: Fields[];
}

/** The fields that decide the kind of an update, and the kinds, in the order of the specification. */
export const KIND_FIELDS = [
  ['person', 'snapshot'],
  ['name', 'name'],
  ['modifier', 'message'],
  ['category', 'content'],
  ['context', 'context'],
  ['text', 'text'],
] as const;

/** Folds frames, one after the other. `rejected`: the number of frames that are not updates. */
export function foldFrames(frames: readonly (string | null)[]) {
  const folded: Folded & { rejected: number } = { person: null, messages: [], rejected: 0 };
  for (const text of frames) {
    const frame = asCounted(objectOf(text));
    if (!isObject(frame) || !isWellFormed(frame)) folded.rejected += 1;
    else apply(folded, frame);
  }
  return folded;
}

function objectOf(text: string | null): Fields | undefined {
  if (text === null) return undefined;
  try {
    let hasProto = false;
    const value: unknown = JSON.parse(text, (key, field: unknown) => {
      hasProto ||= key === '__proto__';
      return field;
    });
    return isObject(value) && !hasProto ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (frame: object) => KIND_FIELDS.find(([field]) => Object.hasOwn(frame, field))?.[0];

/** The fields of which a `null` counts as an empty value; of other kinds only the field that decides the kind. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  person: ['person', 'messages'],
  modifier: ['modifier', 'id', 'content', 'context', 'avatar', 'seen'],
};
/** Fields that are not a text, and those of which a `null` stays. */
const EMPTY: Fields = { seen: false, messages: [], content: [], text: null };

/** Returns a received frame with the values as they count (contract §5): a `null` is an empty value, a number as `id` its decimal text. */
export function asCounted(frame: unknown): unknown {
  const field = isObject(frame) ? kindOf(frame) : undefined;
  return field === undefined ? frame : withCounted(frame, COUNTED[field] ?? [field]);
}

const withCounted = (value: unknown, names: readonly string[]): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, field]) => [
          name,
          names.includes(name) ? counted(name, field) : field,
        ]),
      )
    : value;

function counted(name: string, field: unknown): unknown {
  if (field === null) return name in EMPTY ? EMPTY[name] : '';
  if (name === 'id' && typeof field === 'number') return `${field}`;
  if (!Array.isArray(field)) return field;
  if (name === 'messages') return field.map((one) => withCounted(one, COUNTED.modifier ?? []));
  return name === 'content' ? field.map((one) => withCounted(one, ['category'])) : field;
}

/** Checks the fields that each kind reads. */
function isWellFormed(frame: Fields): boolean {
  switch (kindOf(frame)) {
    case 'person':
      return (
        typeof frame.person === 'string' && isAbsentOr(frame, 'messages', (list) => allOf(list, isMessage))
      );
    case 'modifier':
      return isMessage(frame);
    case 'category':
      return isContent(frame);
    case 'text':
      return isText(frame.text);
    case 'name':
      return typeof frame.name === 'string';
    case 'context':
      return typeof frame.context === 'string';
    case undefined:
    default:
      return true;
  }
}

const isAbsentOr = (frame: Fields, field: string, fits: (value: unknown) => boolean) =>
  !Object.hasOwn(frame, field) || fits(frame[field]);
const allOf = (list: unknown, fits: (value: unknown) => boolean) => Array.isArray(list) && list.every(fits);
const isString = (value: unknown) => typeof value === 'string';
const isText = (value: unknown) => value === null || typeof value === 'string';

const isContent = (value: unknown): boolean =>
  isObject(value) &&
  isAbsentOr(value, 'category', isString) &&
  ['text', 'html', 'blob'].every((field) => isAbsentOr(value, field, isText));

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  ['id', 'modifier', 'context', 'avatar'].every((field) => isAbsentOr(value, field, isString)) &&
  isAbsentOr(value, 'seen', (seen) => typeof seen === 'boolean') &&
  isAbsentOr(value, 'content', (list) => allOf(list, isContent));

/** Applies an update; returns whether it had a target. One without a kind changes nothing. */
export function apply(folded: Folded, frame: Fields): boolean {
  const current = folded.messages.at(-1);
  const item = listOf(current?.content).at(-1);
  switch (kindOf(frame)) {
    case 'person':
      folded.person = frame.person;
      folded.messages = listOf(frame.messages);
      return true;
    case 'name':
      folded.person = frame.name;
      return true;
    case 'modifier':
      folded.messages.push(frame);
      return true;
    case 'category':
      if (current) current.content = [...listOf(current.content), frame];
      return current !== undefined;
    case 'context':
      if (current) current.context = frame.context;
      return current !== undefined;
    case 'text':
      if (item) item.text = frame.text;
      return item !== undefined;
    case undefined:
    default:
      return item !== undefined;
  }
}

/** Returns the objects of a list; none for another value. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
