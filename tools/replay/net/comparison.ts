import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import { frameData } from './sockets.ts';
import { type JsonObject, isJsonObject, tryParseJson, isTooDeep } from '#shared/json.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';

/** A frame of the client that differs from the recorded one. */
type Divergence =
  | { readonly kind: 'different'; readonly frame: number; readonly fields: readonly FieldDifference[] }
  | { readonly kind: 'extra'; readonly frame: number };

/** The comparison of the client's frames with the recorded ones. */
export interface ComparisonReport {
  /** The number of the client's frames in the capture, and of those received now. */
  readonly recorded: number;
  readonly received: number;
  /** Of the received frames: equal to the recorded ones, different, and additional. */
  readonly same: number;
  readonly different: number;
  readonly extra: number;
  /** Recorded frames that were not received yet. */
  readonly missing: number;
  readonly divergences: readonly Divergence[];
}

/**
 * Compares the client's frames with the recorded ones, in order; reports each difference to `print`.
 * @param sends the number of recorded frames of the client, by connection.
 */
export function createComparison(sends: readonly number[], print: (line: string) => void) {
  /** The number of recorded frames without a received one yet, by connection. */
  const expected = [...sends];
  const waiting: { readonly number: number; readonly frame: ClientFrame }[] = [];
  const divergences: Divergence[] = [];
  let received = 0;
  let same = 0;
  let waitedFor: FrameRecord | undefined;

  return {
    /** Adds a frame that the client sent while that connection was played. */
    receive(data: Buffer, isBinary: boolean, connection: number): void {
      received += 1;
      const left = expected[connection] ?? 0;
      if (left > 0) {
        expected[connection] = left - 1;
        waiting.push({ number: received, frame: frameData(data, isBinary) });
        return;
      }
      divergences.push({ kind: 'extra', frame: received });
      print(`frame ${received} of the client is additional`);
    },
    /** Compares the client's oldest frame with a recorded one; returns `false`, and reports it, when there is none yet. */
    match(recorded: FrameRecord): boolean {
      const next = waiting.shift();
      if (next === undefined) {
        if (waitedFor !== recorded) print(`waits for the client, which sent ${clipJson(recorded.data)}`);
        waitedFor = recorded;
        return false;
      }
      const fields = frameDifference(recorded, next.frame);
      if (fields.length === 0) same += 1;
      else {
        divergences.push({ kind: 'different', frame: next.number, fields });
        print(`frame ${next.number} of the client differs: ${differenceText(fields)}`);
      }
      return true;
    },
    report(): ComparisonReport {
      const recorded = sends.reduce((sum, n) => sum + n, 0);
      const different = divergences.filter(({ kind }) => kind === 'different').length;
      const extra = divergences.length - different;
      const missing = recorded - same - different;
      return { recorded, received, same, different, extra, missing, divergences };
    },
  };
}

/** A frame of the client, in the form of captures. */
type ClientFrame = Pick<FrameRecord, 'data' | 'encoding'>;

/** A field of the client's frame that differs from the recorded one, as JSON; a missing one is `undefined`. */
interface FieldDifference {
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
const differenceText = (differences: readonly FieldDifference[]): string =>
  differences
    .map(({ field, ...one }) => {
      const [recorded, got] = [clipJson(one.recorded), clipJson(one.got)];
      return `${field || 'the frame'}: recorded ${recorded}, got ${got}`;
    })
    .join('; ');

const clipJson = (json = 'nothing'): string => (json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json);
