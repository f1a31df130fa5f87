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
 * when there is none.
 * @param changes that of the value, and those of its parts: the first one that has a place counts.
 */
export function findField(content: unknown, changes: readonly Change[]): string | undefined {
  const places = [...placesOf(content)];
  for (const change of changes) {
    const place = placeOf(places, change);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Returns the path of a field with a name and a value; `undefined` when there is none. */
export const placeWith = (content: unknown, name: string, value: unknown): string | undefined =>
  [...placesOf(content)].find((place) => place.name === name && isSameValue(place.value, value))?.path;

function placeOf(places: readonly Place[], { path, before, after }: Change): string | undefined {
  if (after === undefined) return undefined;
  const name = lastName(path);
  const named = places.filter((place) => place.name === name);
  const isSame = ({ value }: Place) => isSameValue(value, after);
  const same = named.find(isSame) ?? (isTelling(after) ? places.find(isSame) : undefined);
  if (same !== undefined || !isText(after)) return same?.path;
  const isPart = ({ value }: Place) => isText(value) && (after.includes(value) || value.includes(after));
  const added = isText(before) && after.startsWith(before) ? after.slice(before.length) : '';
  return (named.find(isPart) ?? places.find(({ value }) => isText(value) && value === added))?.path;
}

/** Returns whether two values are the same; the second one can have lists of the tree. */
const isSameValue = (value: unknown, wanted: unknown): boolean =>
  value === wanted ||
  (typeof value === 'object' &&
    typeof wanted === 'object' &&
    value !== null &&
    isSameJson(value, tryParseJson(JSON.stringify(wanted))));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns whether two equal values are hardly equal by chance. */
const isTelling = (value: unknown): boolean =>
  isText(value) ||
  (typeof value === 'number' && Math.abs(value) > 1) ||
  (typeof value === 'object' && value !== null);
