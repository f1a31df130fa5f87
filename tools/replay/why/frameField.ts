import { FRAME_DEPTH } from '#shared/limits.ts';
import { isJsonObject, isTooDeep, tryParseJson } from '#shared/json.ts';
import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { fieldPath, isSameJson, itemPath, keysOf, type Change } from '../diff/valueDiff.ts';
import { isFrameRecord } from '../inspector/model/trace/steps.ts';

/** A place in a frame. */
interface Place {
  readonly path: string;
  /** The innermost name: that of the list, for an item. */
  readonly name: string;
  readonly value: unknown;
}

/** Returns the content of a record: the JSON of a frame, or another record without its time and type; `undefined` when a frame is not JSON. */
export function contentOf(record: CaptureRecord): unknown {
  if (isFrameRecord(record)) {
    const { data, encoding } = record;
    return encoding === 'base64' || isTooDeep(data, FRAME_DEPTH) ? undefined : tryParseJson(data);
  }
  const { t: _t, type: _type, ...content } = record;
  return isKnown(record) ? content : record;
}

/** Returns the innermost name of a path; indexes are skipped. */
export const lastName = (path: string): string => keysOf(path).findLast((key) => !/^\d+$/.test(key)) ?? '';

/** Returns all places of a value, the outer ones first. */
function* placesOf(value: unknown, path = '', name = ''): Generator<Place, void> {
  yield { path, name, value };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesOf(item, itemPath(path, index), name);
  } else if (isJsonObject(value))
    for (const [key, field] of Object.entries(value)) yield* placesOf(field, fieldPath(path, key), key);
}

/**
 * Finds the place in a frame from which a new value came: one with the same value, or whose text is a part of it, and best with the same name; `undefined`
 * when there is none. Of a value with parts, it is the place of the first part that has one.
 */
export function findField(
  content: unknown,
  path: string,
  change: Change & { readonly parts: readonly Change[] },
) {
  const places = [...placesOf(content)];
  const found = placeOf(places, path, change);
  if (found !== undefined) return found;
  for (const part of change.parts) {
    const place = placeOf(places, part.path, part);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Returns the path of a field with a name and a value; `undefined` when there is none. */
export function placeWith(content: unknown, name: string, value: unknown): string | undefined {
  for (const place of placesOf(content))
    if (place.name === name && isSameValue(place.value, value)) return place.path;
  return undefined;
}

function placeOf(
  places: readonly Place[],
  path: string,
  { before, after }: Pick<Change, 'before' | 'after'>,
) {
  if (after === undefined) return undefined;
  const name = lastName(path);
  const named = places.filter((place) => place.name === name);
  const isSame = ({ value }: Place) => isSameValue(value, after);
  const same = named.find(isSame) ?? (isTelling(after) ? places.find(isSame) : undefined);
  if (same !== undefined || typeof after !== 'string') return same?.path;
  const isPart = ({ value }: Place) =>
    isText(value) && isText(after) && (after.includes(value) || value.includes(after));
  const added =
    typeof before === 'string' && after.startsWith(before) ? after.slice(before.length) : undefined;
  const isAdded = ({ value }: Place) => isText(value) && value === added;
  return (named.find(isPart) ?? places.find(isAdded))?.path;
}

const isSameValue = (value: unknown, wanted: unknown): boolean =>
  typeof value === typeof wanted &&
  (value === wanted || (typeof value === 'object' && value !== null && isSameJson(value, plainOf(wanted))));

/** Returns a value as plain data, without the lists of the tree. */
const plainOf = (value: unknown): unknown => tryParseJson(JSON.stringify(value));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns whether two equal values are hardly equal by chance. */
const isTelling = (value: unknown): boolean =>
  isText(value) ||
  (typeof value === 'number' && Math.abs(value) > 1) ||
  (typeof value === 'object' && value !== null);
