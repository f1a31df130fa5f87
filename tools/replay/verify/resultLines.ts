import { REPLAY } from '../base/command.ts';
import { quoteForShell } from '#node/fileErrorReason.ts';
import { formatValue, visibleName } from '../base/visibleText.ts';
import type { Difference, Mutation, Place, QueueFault, ResultRecord } from './resultRecord.ts';

/** Further places are counted, not listed. */
const LISTED_PLACES = 12;

type Color = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
export type Paint = (color: Color, text: string) => string;

/** Leaves a text as it is. */
export const unpainted: Paint = (_, text) => text;

/** Describes one result; returns no lines when nothing needs attention. */
export function resultLines(result: ResultRecord, paint: Paint): string[] {
  const { outcome, difference, golden = 'unchanged', problem = '' } = result;
  const capture = visibleName(result.capture);
  switch (outcome) {
    case 'same':
      return [];
    case 'written':
      return golden === 'unchanged' ? [] : [`${golden.padEnd(8)} golden of ${capture}`];
    case 'unusable':
      return [`${paint('yellow', outcome)} ${visibleName(problem)}`];
    case 'stopped':
      return [`${paint('red', outcome)}  ${visibleName(problem)}`];
    case 'differs':
      return [`${paint('red', outcome)}  ${paint('bold', capture)}`, ...differenceLines(difference, paint)];
    default:
      return outcome satisfies never;
  }
}

/** Describes a difference, indented. */
function differenceLines(difference: Difference | undefined, paint: Paint): string[] {
  if (difference === undefined) return [];
  const { state, end, ended = [], beginning = [], after, thrown, mutated, queue } = difference;
  const section = (head: string, places: readonly Place[]) =>
    places.length === 0 ? [] : [`  ${head}`, ...placesOf(places, paint)];
  return [
    ...(after === undefined ? [] : [`  after ${visibleName(after)}`]),
    ...section('the beginning is not the state before', beginning),
    ...(mutated ? [paint('red', mutationLine(mutated))] : []),
    ...(queue ? [paint('red', queueLine(queue))] : []),
    `  ${headOf(difference)}`,
    ...placesOf(state, paint),
    ...section('at the end', end),
    ...section('after the end of the session', ended),
    ...(thrown
      ? [
          `  the code ${thrown.isOfBase === true ? 'of the other revision ' : ''}threw ${thrown.name}`,
          ...thrown.stack.map((one) => `    at ${one}`),
        ]
      : []),
  ];
}

function headOf({ update, at, end, thrown }: Difference): string {
  if (update !== undefined)
    return `first differs after update ${update.number} (${update.kind}, ${update.effect}, at ${update.tick} ms)`;
  if (at !== undefined) return `all updates are the same; first differs at ${at} ms`;
  return `all updates are the same${end.length > 0 || thrown !== undefined ? '; the end differs' : ''}`;
}

function mutationLine({ update, action, path }: Mutation): string {
  const cause = action === undefined ? `update ${update}` : `${action}, before update ${update},`;
  return path === ''
    ? `  ${cause} mutated an object outside the state that it got`
    : `  state before ${cause} was mutated at ${path}`;
}

function queueLine({ fault, update, before, path }: QueueFault): string {
  const line = {
    lost: `was lost: it is not at ${path}`,
    repeated: `was repeated: it is again at ${path}`,
    early: `came before update ${before}: it is at ${path}`,
  }[fault];
  return `  update ${update} ${line}`;
}

function placesOf(places: readonly Place[], paint: Paint): string[] {
  const more = places.length - LISTED_PLACES;
  const listed = places.slice(0, LISTED_PLACES).flatMap((place) => placeLines(place, paint));
  return more > 0 ? [...listed, `    and ${more} more places`] : listed;
}

/** Describes a place. At the end there is no value before; without values there is only the path. */
function placeLines(place: Place, paint: Paint): string[] {
  const hasValues = 'expected' in place || 'got' in place;
  return [
    `    ${place.path}`,
    ...('before' in place ? [paint('dim', valueLine('before', place.before))] : []),
    ...(hasValues ? [paint('green', valueLine('expected', place.expected))] : []),
    ...(hasValues ? [paint('red', valueLine('got', place.got))] : []),
  ];
}

const valueLine = (name: string, value: unknown) => `      ${name.padEnd(8)}  ${formatValue(value)}`;

type FailingPlace = { readonly update: number } | { readonly t: number };

/** Returns where the inspector shows a failure: an update, or a time when no update differs; `undefined` when neither is known. */
export function failingPlace({ difference }: ResultRecord): FailingPlace | undefined {
  const update = difference?.mutated?.update ?? difference?.update?.number;
  if (update !== undefined) return { update };
  return difference?.at === undefined ? undefined : { t: difference.at };
}

/** What replayed a capture. */
export interface Replayed {
  /** The adapter of another app. */
  readonly app?: string | undefined;
  /** The revision whose results are expected, if it is not a golden. The inspector then shows it beside. */
  readonly base?: string | undefined;
}

/**
 * Returns the command that opens the inspector at the step of a failure; `undefined` when the result has no difference to look at.
 */
export function inspectCommand(record: ResultRecord, { app, base }: Replayed = {}): string | undefined {
  if (record.difference === undefined) return undefined;
  const place = failingPlace(record);
  const path = record.capture.startsWith('-') ? `./${record.capture}` : record.capture;
  return [
    `${REPLAY} open ${quoteForShell(path)}`,
    ...(app === undefined ? [] : [`--app ${quoteForShell(app)}`]),
    ...(base === undefined ? [] : [`--base ${quoteForShell(base)}`]),
    ...(place === undefined ? [] : ['update' in place ? `--update ${place.update}` : `--at ${place.t}`]),
  ].join(' ');
}
