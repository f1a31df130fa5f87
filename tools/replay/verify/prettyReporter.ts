import { styleText } from 'node:util';
import { pluralize } from '#shared/formatText.ts';
import { formatValue, visibleName } from '../base/visibleText.ts';
import type { FailureGroup, Totals } from './failureGroups.ts';
import {
  type Replayed,
  type Reporter,
  type ReporterOptions,
  describeEnd,
  inspectCommand,
} from './reporter.ts';
import type { Difference, Mutation, Place, QueueFault, ResultRecord } from './resultRecord.ts';

/** Further places are counted, not listed. */
const LISTED_PLACES = 12;

type Color = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
export type Paint = (color: Color, text: string) => string;

/** Leaves a text as it is. */
export const unpainted: Paint = (_, text) => text;

/** Describes one result; returns no lines when nothing needs attention. */
export function resultLines(result: ResultRecord, paint: Paint): string[] {
  const { outcome, difference, golden, problem = '' } = result;
  const capture = visibleName(result.capture);
  switch (outcome) {
    case 'same':
      return [];
    case 'written':
      return golden === undefined || golden === 'unchanged'
        ? []
        : [`${golden.padEnd(8)} golden of ${capture}`];
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
  switch (fault) {
    case 'lost':
      return `  update ${update} was lost: it is not at ${path}`;
    case 'repeated':
      return `  update ${update} was repeated: it is again at ${path}`;
    case 'early':
      return `  update ${update} came before update ${before}: it is at ${path}`;
    default:
      return fault satisfies never;
  }
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

/** More groups are counted, not printed. */
const PRINTED_GROUPS = 50;

/** Prints results for people: each golden that changed, one paragraph for each signature of failures, the totals. */
export function prettyReporter({ output, advice, app, base, isMerge = false }: ReporterOptions): Reporter {
  const paint: Paint = output.isOutColored
    ? (color, text) => styleText(color, text, { validateStream: false })
    : unpainted;
  let updates = 0;
  let changed = 0;
  return {
    add(record) {
      updates += record.updates ?? 0;
      if (record.outcome !== 'written') return;
      const lines = resultLines(record, paint);
      changed += lines.length;
      for (const line of lines) output.out(`${line}\n`);
    },
    end({ end, totals, groups, seconds }) {
      const known = groups.filter(({ isKnown }) => isKnown);
      const news = groups.filter(({ isKnown }) => !isKnown);
      const stopped = describeEnd(end);
      const parts = [
        ...groupLines(news, (group) => oneGroup(group, paint, { app, base })),
        ...knownLines(known),
      ];
      const lines = [
        ...parts,
        ...(parts.length > 0 || changed > 0 ? [''] : []),
        ...(stopped === undefined ? [] : [paint('yellow', stopped)]),
        `${totalsLine(totals, { updates, changed }, paint)}${isMerge ? '; their replays took' : ' in'} ${seconds.toFixed(1)} s`,
        ...(news.some(({ outcome }) => outcome === 'differs') ? [advice] : []),
      ];
      output.out(`${lines.join('\n')}\n`);
    },
  };
}

function groupLines(groups: readonly FailureGroup[], linesOf: (group: FailureGroup) => string[]): string[] {
  const more = groups.length - PRINTED_GROUPS;
  return [
    ...groups.slice(0, PRINTED_GROUPS).flatMap(linesOf),
    ...(more > 0 ? [`and ${more} more signatures; --reporter json has all of them`] : []),
  ];
}

/** Describes the first failure of a group, and names a few of the others. */
function oneGroup(group: FailureGroup, paint: Paint, replayed: Replayed): string[] {
  const { example, count, others, signature } = group;
  const more = count - 1 - others.length;
  const inspect = inspectCommand(example, replayed);
  const names = `${others.map(visibleName).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    ...resultLines(example, paint),
    ...(example.difference === undefined ? [] : [`  signature  ${signature}`]),
    ...(inspect === undefined ? [] : [`  inspect    ${inspect}`]),
    ...(count > 1 ? [`  ${pluralize(count, 'capture')} with this signature; also ${names}`] : []),
  ];
}

const knownLines = (groups: readonly FailureGroup[]): string[] =>
  groups.map(({ count, signature }) => `known    ${pluralize(count, 'capture')}: ${signature}`);

function totalsLine(
  totals: Totals,
  { updates, changed }: { updates: number; changed: number },
  paint: Paint,
) {
  const { captures, same, written, differs, stopped, unusable, known } = totals;
  const parts = [
    ...(same > 0 ? [paint('green', `${same} same (${updates} updates)`)] : []),
    ...(written > 0 ? [`${changed} of ${written} goldens written`] : []),
    ...(differs > 0 ? [paint('red', `${differs} ${differs === 1 ? 'differs' : 'differ'}`)] : []),
    ...(stopped > 0 ? [paint('red', `${stopped} stopped`)] : []),
    ...(unusable > 0 ? [paint('yellow', `${unusable} unusable`)] : []),
    ...(known > 0 ? [`${known} of the failures known`] : []),
  ];
  return [pluralize(captures, 'capture'), parts.join(', ')].filter(Boolean).join(': ');
}
