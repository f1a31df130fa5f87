import type { z } from 'zod';
import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import { field, optional } from '../base/jsonDocument.ts';
import { isJsonObject, isTooDeep, tryParseJson } from '#shared/json.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';

/** A frame of the client, in the form of captures. */
type ClientFrame = Pick<FrameRecord, 'data' | 'encoding'>;

/** The comparison of the client's frames with the recorded ones. */
export const comparisonSchema = field.object('the comparison of the client’s frames with the recorded ones', {
  recorded: field.number('the number of recorded frames of the client'),
  received: field.number('the number of frames that the client sent'),
  same: field.number('the number of frames that were received as recorded'),
  different: field.number('the number of frames that differed'),
  extra: field.number('the number of frames that were not recorded'),
  missing: field.number('the number of recorded frames that were not received'),
  divergences: field.list('each frame that is not the recorded one', {
    kind: field.choice(['different', 'extra'], 'whether a frame was recorded in its place'),
    frame: field.number('the number of the frame that the client sent, from 1'),
    fields: optional.list('the fields that differ', {
      field: field.text('the name of the field; empty for the whole frame'),
      recorded: optional.text('the recorded value as JSON; missing when there is none'),
      got: optional.text('the value of the client as JSON; missing when there is none'),
    }),
  }),
});

export type ComparisonReport = z.input<typeof comparisonSchema>;

/**
 * Compares the client's frames with the recorded ones, in order; reports each difference to `print`.
 * @param sends the number of recorded frames of the client, by connection.
 */
export function createComparison(sends: readonly number[], print: (line: string) => void) {
  /** The number of recorded frames without a received one yet, by connection. */
  const expected = [...sends];
  const waiting: { readonly number: number; readonly frame: ClientFrame }[] = [];
  const divergences: ComparisonReport['divergences'][number][] = [];
  let received = 0;
  let same = 0;
  let waitedFor: FrameRecord | undefined;

  return {
    /** Adds a frame that the client sent while that connection was played. */
    receive(frame: ClientFrame, connection: number): void {
      received += 1;
      const left = expected[connection] ?? 0;
      if (left > 0) {
        expected[connection] = left - 1;
        waiting.push({ number: received, frame });
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
        const texts = fields.map(
          (one) =>
            `${one.field || 'the frame'}: recorded ${clipJson(one.recorded)}, got ${clipJson(one.got)}`,
        );
        print(`frame ${next.number} of the client differs: ${texts.join('; ')}`);
      }
      return true;
    },
    /** Counts the frames; `missing` are recorded ones that were not received yet. */
    report(): ComparisonReport {
      const recorded = sends.reduce((sum, n) => sum + n, 0);
      const different = divergences.filter(({ kind }) => kind === 'different').length;
      const extra = divergences.length - different;
      const missing = recorded - same - different;
      return { recorded, received, same, different, extra, missing, divergences };
    },
  };
}

const SHOWN = 60;

const clipJson = (json = 'nothing'): string => (json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json);

/**
 * Returns the fields in which a frame differs from the recorded one, with their JSON; a missing one is `undefined`. JSON is compared by value. The
 * name is empty for the whole frame.
 */
export function frameDifference(recorded: ClientFrame, got: ClientFrame) {
  if (recorded.data === got.data && recorded.encoding === got.encoding) return [];
  const [before, after] = [fieldsOf(recorded), fieldsOf(got)];
  if (before === undefined || after === undefined)
    return [{ field: '', recorded: JSON.stringify(recorded.data), got: JSON.stringify(got.data) }];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ field: name, recorded: before.get(name), got: after.get(name) }))
    .filter((one) => one.recorded !== one.got);
}

/** Returns the JSON of a frame's fields; `undefined` when it is not a JSON object, or too deep for a comparison by value. */
function fieldsOf({ data, encoding }: ClientFrame): ReadonlyMap<string, string> | undefined {
  if (encoding !== undefined || isTooDeep(data, FRAME_DEPTH)) return undefined;
  const value = tryParseJson(data);
  if (!isJsonObject(value)) return undefined;
  return new Map(Object.entries(value).map(([name, part]) => [name, canonicalJson(part)]));
}
