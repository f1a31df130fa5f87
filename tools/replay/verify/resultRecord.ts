import { z } from 'zod';
import type { DifferingPlace } from '../golden/changes.ts';
import { type ThrownError, errorFrame } from '../workers/thrownError.ts';
import type { Divergence } from '../golden/compareWithGolden.ts';
import type { Written } from '../golden/goldenFile.ts';
import type { Mutation, QueueFault } from './findCause.ts';
import type { Finished, StoppedResult } from '../workers/workerSlot.ts';

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
      state: placePaths(state),
      end: placePaths(end),
      ...(ended && { ended: placePaths(ended) }),
      ...(beginning && { beginning: placePaths(beginning) }),
    },
  };
}

const placePaths = (places: readonly Place[]) => places.map(({ path }) => ({ path }));

/** More paths would make a signature long; the first ones identify the cause. */
const PATHS = 6;

const QUEUE_FAULTS: Readonly<Record<NonNullable<Difference['queue']>['fault'], string>> = {
  lost: 'the queue loses an update',
  repeated: 'the queue repeats an update',
  early: 'the queue releases an update before an earlier one',
};

/**
 * Returns the signature of a difference: the update's kind and effect, and the paths that differ, with indices as `*`; or where only the state after
 * the session's end, or the beginning after another session, differs; or the fault of the queue; or
 * the path that the code mutated, or the error that it threw with its innermost frame. Captures with the same cause usually have the same signature. It contains
 * no values.
 */
function differenceSignature(
  outcome: 'differs' | 'disagrees',
  { update, state, end, ended = [], beginning, thrown, mutated, queue }: Difference,
): string {
  if (queue !== undefined) return `${outcome}: ${QUEUE_FAULTS[queue.fault]}`;
  if (beginning !== undefined)
    return `${outcome}: the beginning after another session: ${pathsOf(beginning)}`;
  if (state.length + end.length === 0 && ended.length > 0)
    return `${outcome}: after the session's end: ${pathsOf(ended)}`;
  const about = update === undefined ? 'the end' : `${update.kind}, ${update.effect}`;
  if (mutated !== undefined)
    return `${outcome}: ${about}: mutates ${withoutIndices(mutated.path) || 'an object outside the state'}`;
  if (thrown !== undefined)
    return `${outcome}: ${about}: ${thrown.isOfBase === true ? 'the other revision: ' : ''}${withoutIndices(errorFrame(thrown))}`;
  return `${outcome}: ${about}: ${pathsOf(state.length > 0 ? state : end)}`;
}

function pathsOf(places: readonly DifferingPlace[]): string {
  const paths = [...new Set(places.map(({ path }) => withoutIndices(path)))].sort();
  const more = paths.length - PATHS;
  return [...paths.slice(0, PATHS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Replaces indices, and removes the times at the ends of the paths of windows. */
const withoutIndices = (path: string): string =>
  path.replace(/\[(?:\d+|"\d+")\]/g, '[*]').replace(/ at [\d.]+ ms$/, '');

/** Returns the signature of a problem: the outcome and the text without the file's name, with numbers as `*`. */
function problemSignature(
  outcome: 'stopped' | 'unusable',
  { capture, problem }: { readonly capture: string; readonly problem: string },
): string {
  const place = problem.startsWith(capture) ? problem.slice(capture.length) : problem;
  const text = place.replace(/^(?:.*?(?:\.jsonl|\.gz|\.har|\.json))?(?::\d+)?: /s, '');
  return `${outcome}: ${text.replace(/\d+(?:\.\d+)?/g, '*')}`;
}

/** How the replay of a capture differs from the expected result. */
interface Difference extends Divergence {
  /** The capture that it follows, when the difference is only found after that one. */
  readonly after?: string;
  /** The error that the replayed code threw. */
  readonly thrown?: ThrownError & {
    /** Whether only the code of the other revision threw. */ readonly isOfBase?: boolean;
  };
  /** The state that the replayed code mutated. */
  readonly mutated?: Mutation;
  /** The update that the queue of the replayed code lost, repeated, or moved before another one. */
  readonly queue?: QueueFault;
}

/** The capture, or another file that it needs, cannot be used; `problem` is one line that names the file. */
export type UnusableResult = Finished & { readonly outcome: 'unusable'; readonly problem: string };

/** The result of one capture. Plain data: it comes from a worker. */
export type CaptureResult =
  | StoppedResult
  | UnusableResult
  | (Finished &
      (
        | { readonly outcome: 'same'; readonly updates: number }
        /** Its golden was written, with `--update`. */
        | { readonly outcome: 'written'; readonly golden: Written }
        /** The result differs from the golden. */
        | { readonly outcome: 'differs'; readonly difference: Difference }
      ));
