import { z } from 'zod';
import { captureField, field, optional } from '../base/jsonDocument.ts';
import { errorFrame } from '../workers/thrownError.ts';

const placesField = (where: string) =>
  field.list(`the places that differ ${where}`, {
    path: field.text('the path of a value in the state'),
    before: optional.any('with `--values`: the value before the update'),
    expected: optional.any('with `--values`: the value of the golden, or of `--base`'),
    got: optional.any('with `--values`: the value of this replay'),
  });

const FAULT = 'an update left the queue without a tick; came twice; or came before an earlier one';

/** How the replay of a capture differs from the expected result: a `Divergence`, and its cause. */
const differenceSchema = field.object('how the result differs; for one capture of each signature', {
  update: optional.object('the first update after which the state differs; missing when only the end does', {
    number: field.number('from 1'),
    kind: z.string(),
    effect: field.text('`applied` or `ignored`'),
    tick: field.number('milliseconds since the launch'),
  }),
  at: optional.number('when it differs, milliseconds since the start of the recording'),
  state: placesField('after that update'),
  end: placesField('at the end'),
  ended: placesField('after the end of the session').optional(),
  beginning: placesField('at the beginning after another session').optional(),
  after: optional.text('the capture that it follows, when the difference is only found after that one'),
  thrown: optional.object('the error that the replayed code threw', {
    name: field.text('its class'),
    stack: field.texts('its frames in the app’s code, innermost first'),
    isOfBase: optional.flag('whether only the code of the other revision threw'),
  }),
  mutated: optional.object('the state that a reducer mutated instead of returning another one', {
    update: field.number('the number of the update whose reducer did it, or before which the action did'),
    action: optional.text('the type of the action before that update'),
    path: field.text('the first path that is different; empty for an object outside the state'),
  }),
  queue: optional.object('what is wrong with the order of the updates between their frames and ticks', {
    fault: field.choice(['lost', 'repeated', 'early'], FAULT),
    update: field.number('the number of the update in the order of the frames, from 1'),
    before: optional.number('the earlier update'),
    path: field.text('where the queue differs from what it must contain'),
  }),
});

const OUTCOME =
  '`stopped`: it took more time or memory than allowed; `unusable`: the file, or its golden, cannot be used';

/** The result of one capture: of a worker, without its signature; and as reports contain it. */
export const recordSchema = z.object({
  capture: captureField,
  outcome: field.choice(['same', 'written', 'differs', 'stopped', 'unusable'], OUTCOME),
  ms: field.number('the duration of the replay, milliseconds'),
  warnings: field.texts('problems that do not prevent the use of the file').default([]),
  updates: optional.number('the number of updates'),
  golden: optional.choice(['new', 'changed', 'unchanged'], 'with `--update`: what became of the golden'),
  problem: optional.text('one line: why the replay was stopped, or the file cannot be used'),
  signature: optional.text('the cause of a failure: captures with the same cause usually have the same'),
  difference: differenceSchema.optional(),
});

export type ResultRecord = Readonly<z.infer<typeof recordSchema>>;
export type Difference = z.infer<typeof differenceSchema>;
export type Place = Difference['state'][number];
export type Mutation = NonNullable<Difference['mutated']>;
export type QueueFault = NonNullable<Difference['queue']>;

/** Adds the signature of a failure to a result. */
export function recordOf(result: ResultRecord): ResultRecord {
  const { capture, outcome, difference, problem } = result;
  return {
    ...result,
    ...(difference && { signature: differenceSignature(difference) }),
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
