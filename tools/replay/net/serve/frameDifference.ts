import type { FrameRecord } from '#shared/capture/format.ts';
import { type JsonObject, isJsonObject } from '#shared/isJsonObject.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { isTooDeep } from '#shared/protocol/isTooDeep.ts';
import { canonicalJson } from '../../engine/canonicalJson.ts';

/** A frame of the client, in the form of captures. */
export type ClientFrame = Pick<FrameRecord, 'data' | 'encoding'>;

/** A field of the client's frame that differs from the recorded one, as JSON; a missing one is `undefined`. */
export interface FieldDifference {
  /** The field's name; empty for the whole frame. */
  readonly field: string;
  readonly recorded: string | undefined;
  readonly got: string | undefined;
}

/** Returns the fields in which a frame differs from the recorded one; JSON is compared by value. */
export function frameDifference(recorded: ClientFrame, got: ClientFrame): readonly FieldDifference[] {
  if (recorded.data === got.data && recorded.encoding === got.encoding) return [];
  const [before, after] = [fieldsOf(recorded), fieldsOf(got)];
  if (before === undefined || after === undefined) {
    return [{ field: '', recorded: JSON.stringify(recorded.data), got: JSON.stringify(got.data) }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((field) => ({ field, recorded: jsonOf(before, field), got: jsonOf(after, field) }))
    .filter((one) => one.recorded !== one.got);
}

const jsonOf = (fields: JsonObject, name: string) =>
  // Every object inherits a value for `__proto__`.
  Object.hasOwn(fields, name) ? canonicalJson(fields[name]) : undefined;

/** Returns a frame's fields; `undefined` when it is not a JSON object, or too deep for a comparison by value. */
function fieldsOf({ data, encoding }: ClientFrame): JsonObject | undefined {
  if (encoding !== undefined || isTooDeep(data, FRAME_DEPTH)) return undefined;
  const value = tryParseJson(data);
  return isJsonObject(value) ? value : undefined;
}

const SHOWN = 60;

/** Formats the differences of fields in one line; long values are cut. */
export const differenceText = (differences: readonly FieldDifference[]): string =>
  differences
    .map(
      ({ field, recorded, got }) =>
        `${field || 'the frame'}: recorded ${clipJson(recorded)}, got ${clipJson(got)}`,
    )
    .join('; ');

/** Returns a value's JSON, cut when it is long. */
export function clipJson(json: string | undefined): string {
  if (json === undefined) return 'nothing';
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}
