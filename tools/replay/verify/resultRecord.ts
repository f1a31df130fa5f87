import { z } from 'zod';
import { errorFrame } from '../workers/thrownError.ts';

const placeSchema = z.object({
  path: z.string(),
  before: z.unknown().optional(),
  expected: z.unknown().optional(),
  got: z.unknown().optional(),
});

/** How the replay of a capture differs from the expected result: a `Divergence`, and its cause. */
const differenceSchema = z.object({
  update: z.object({ number: z.number(), kind: z.string(), effect: z.string(), tick: z.number() }).optional(),
  at: z.number().optional(),
  state: z.array(placeSchema).readonly(),
  end: z.array(placeSchema).readonly(),
  ended: z.array(placeSchema).readonly().optional(),
  beginning: z.array(placeSchema).readonly().optional(),
  /** The capture that it follows, when the difference is only found after that one. */
  after: z.string().optional(),
  /** The error that the replayed code threw; `isOfBase` when only the code of the other revision threw. */
  thrown: z
    .object({ name: z.string(), stack: z.array(z.string()).readonly(), isOfBase: z.boolean().optional() })
    .optional(),
  /**
   * The state that a reducer mutated instead of returning another one: the number of the update whose reducer did it, or the type of the action
   * before that update; and the first path that is different after it, which is empty for an object outside the state.
   */
  mutated: z.object({ update: z.number(), action: z.string().optional(), path: z.string() }).optional(),
  /**
   * What went wrong with the order of the updates between their frames and their ticks: an update left the queue without a tick; was queued or released
   * twice; or is before one that was received earlier (`before`). Updates are numbered in the order of their frames, from 1. `path` is where the queue
   * differs from what it must contain.
   */
  queue: z
    .object({
      fault: z.enum(['lost', 'repeated', 'early']),
      update: z.number(),
      before: z.number().optional(),
      path: z.string(),
    })
    .optional(),
});

/** The result of one capture: of a worker, without its signature; and as reports contain it. */
export const recordSchema = z.object({
  capture: z.string(),
  outcome: z.enum(['same', 'written', 'differs', 'stopped', 'unusable']),
  /** Duration, milliseconds. */
  ms: z.number(),
  /** Problems that do not prevent the use of the file. */
  warnings: z.array(z.string()).readonly().default([]),
  updates: z.number().optional(),
  /** What became of the golden, with `--update`. */
  golden: z.enum(['new', 'changed', 'unchanged']).optional(),
  /** Why the replay was stopped, or the file cannot be used: one line that names the file. */
  problem: z.string().optional(),
  /** The cause of a failure. */
  signature: z.string().optional(),
  /** The difference; a report contains it for one capture of each signature. */
  difference: differenceSchema.optional(),
});

export type ResultRecord = Readonly<z.infer<typeof recordSchema>>;
export type Difference = z.infer<typeof differenceSchema>;
export type Place = z.infer<typeof placeSchema>;
export type Mutation = NonNullable<Difference['mutated']>;
export type QueueFault = NonNullable<Difference['queue']>;

/** Adds the signature of a failure to a result. */
export function recordOf({ capture, outcome, ms, warnings, ...result }: ResultRecord): ResultRecord {
  const { difference, problem } = result;
  return {
    capture,
    outcome,
    ms,
    warnings,
    ...(difference && { signature: differenceSignature(difference) }),
    ...result,
    ...(problem !== undefined && { signature: problemSignature(outcome, capture, problem) }),
  };
}

/** Returns a record without values of the session, such as message texts: the paths that differ stay. */
export function withoutValues(record: ResultRecord): ResultRecord {
  const { difference } = record;
  if (difference === undefined) return record;
  const lists = (['state', 'end', 'ended', 'beginning'] as const).flatMap((name) => {
    const places = difference[name]?.map(({ path }) => ({ path }));
    return places === undefined ? [] : [[name, places] as const];
  });
  return { ...record, difference: { ...difference, ...Object.fromEntries(lists) } };
}

/** More paths would make a signature long; the first ones identify the cause. */
const PATHS = 6;

const QUEUE_FAULTS: Readonly<Record<QueueFault['fault'], string>> = {
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
function differenceSignature(difference: Difference): string {
  const { update, state, end, ended = [], beginning, thrown, mutated, queue } = difference;
  if (queue !== undefined) return `differs: ${QUEUE_FAULTS[queue.fault]}`;
  if (beginning !== undefined) return `differs: the beginning after another session: ${pathsOf(beginning)}`;
  if (state.length + end.length === 0 && ended.length > 0)
    return `differs: after the session's end: ${pathsOf(ended)}`;
  const about = `differs: ${update === undefined ? 'the end' : `${update.kind}, ${update.effect}`}`;
  if (mutated !== undefined)
    return `${about}: mutates ${withoutIndices(mutated.path) || 'an object outside the state'}`;
  if (thrown === undefined) return `${about}: ${pathsOf(state.length > 0 ? state : end)}`;
  return `${about}: ${thrown.isOfBase === true ? 'the other revision: ' : ''}${withoutIndices(errorFrame(thrown))}`;
}

function pathsOf(places: readonly Place[]): string {
  const paths = [...new Set(places.map(({ path }) => withoutIndices(path)))].sort();
  const more = paths.length - PATHS;
  return [...paths.slice(0, PATHS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Replaces indices, and removes the times at the ends of the paths of windows. */
const withoutIndices = (path: string): string =>
  path.replace(/\[(?:\d+|"\d+")\]/g, '[*]').replace(/ at [\d.]+ ms$/, '');

/** Returns the signature of a problem: the outcome and the text without the file's name, with numbers as `*`. */
function problemSignature(outcome: string, capture: string, problem: string): string {
  const place = problem.startsWith(capture) ? problem.slice(capture.length) : problem;
  const text = place.replace(/^(?:.*?(?:\.jsonl|\.gz|\.har|\.json))?(?::\d+)?: /s, '');
  return `${outcome}: ${text.replace(/\d+(?:\.\d+)?/g, '*')}`;
}
