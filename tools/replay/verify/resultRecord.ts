import { z } from 'zod';
import type { CaptureResult } from './captureResult.ts';
import { differenceSignature, problemSignature } from './signature.ts';

const placeSchema = z.object({
  path: z.string(),
  before: z.unknown().optional(),
  expected: z.unknown().optional(),
  got: z.unknown().optional(),
});

const differenceSchema = z.object({
  update: z.object({ number: z.number(), kind: z.string(), effect: z.string(), tick: z.number() }).optional(),
  at: z.number().optional(),
  state: z.array(placeSchema).readonly(),
  end: z.array(placeSchema).readonly(),
  ended: z.array(placeSchema).readonly().optional(),
  beginning: z.array(placeSchema).readonly().optional(),
  after: z.string().optional(),
  thrown: z
    .object({
      name: z.string(),
      stack: z.array(z.string()).readonly(),
      isOfBase: z.boolean().optional(),
    })
    .optional(),
  mutated: z.object({ update: z.number(), action: z.string().optional(), path: z.string() }).optional(),
  queue: z
    .object({
      fault: z.enum(['lost', 'repeated', 'early']),
      update: z.number(),
      before: z.number().optional(),
      path: z.string(),
    })
    .optional(),
});

/** The result of one capture as reports contain it. */
export const recordSchema = z.object({
  capture: z.string(),
  outcome: z.enum(['same', 'written', 'differs', 'disagrees', 'stopped', 'unusable']),
  /** Duration, milliseconds. */
  ms: z.number(),
  warnings: z.array(z.string()).readonly().default([]),
  updates: z.number().optional(),
  golden: z.enum(['new', 'changed', 'unchanged']).optional(),
  problem: z.string().optional(),
  /** The cause of a failure. */
  signature: z.string().optional(),
  /** The difference; a report contains it for one capture of each signature. */
  difference: differenceSchema.optional(),
});

export type ResultRecord = z.infer<typeof recordSchema>;
type Place = z.infer<typeof placeSchema>;

/** Returns the record of a result. */
export function recordOf(result: CaptureResult): ResultRecord {
  const { capture, outcome, ms, warnings } = result;
  switch (result.outcome) {
    case 'same':
      return { capture, outcome, ms, warnings, updates: result.updates };
    case 'written':
      return { capture, outcome, ms, warnings, golden: result.golden };
    case 'differs': {
      const { difference } = result;
      const signature = differenceSignature(result.outcome, difference);
      return { capture, outcome, ms, warnings, signature, difference };
    }
    case 'stopped':
    case 'unusable': {
      const { problem } = result;
      return {
        capture,
        outcome,
        ms,
        warnings,
        problem,
        signature: problemSignature(result.outcome, { capture, problem }),
      };
    }
    default:
      return result satisfies never;
  }
}

/** Returns a record without values of the session, such as message texts: the paths that differ stay. */
export function withoutValues(record: ResultRecord): ResultRecord {
  if (record.difference === undefined) return record;
  const { state, end, ended, beginning } = record.difference;
  return {
    ...record,
    difference: {
      ...record.difference,
      state: paths(state),
      end: paths(end),
      ...(ended && { ended: paths(ended) }),
      ...(beginning && { beginning: paths(beginning) }),
    },
  };
}

const paths = (places: readonly Place[]) => places.map(({ path }) => ({ path }));
