import { styleText } from 'node:util';
import { pluralize } from '#shared/pluralize.ts';
import type { Divergence } from '../golden/compareWithGolden.ts';
import type { DifferingPlace } from '../golden/differingPlace.ts';
import { formatValue } from '../base/formatValue.ts';
import { type CaptureResult, countResults } from './captureResult.ts';

/** How results are printed. */
interface PrettyOptions {
  /** Whether the output is a terminal with colors. */
  readonly isColored: boolean;
  /** What the user can do about a difference. */
  readonly advice: string;
  readonly seconds: number;
}

/** Further places are counted, not listed. */
const LISTED_PLACES = 12;

type Color = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
type Paint = (color: Color, text: string) => string;

/** Formats results for people: each failed capture with its first difference, the goldens that changed, the totals. */
export function pretty(
  results: readonly CaptureResult[],
  { isColored, advice, seconds }: PrettyOptions,
): string {
  const paint: Paint = (name, text) => (isColored ? styleText(name, text, { validateStream: false }) : text);
  const parts = results.flatMap((result) => resultLines(result, paint));
  const totals = `${totalsLine(results, paint)} in ${seconds.toFixed(1)} s`;
  const isAdvised = results.some(({ outcome }) => outcome === 'differs');
  return `${[...parts, ...(parts.length > 0 ? [''] : []), totals, ...(isAdvised ? [advice] : [])].join('\n')}\n`;
}

/** Describes one result; returns no lines when nothing needs attention. */
export function resultLines(result: CaptureResult, paint: Paint): string[] {
  const { capture } = result;
  switch (result.outcome) {
    case 'same':
      return [];
    case 'written':
      return result.golden === 'unchanged' ? [] : [`${result.golden.padEnd(8)} golden of ${capture}`];
    case 'unusable':
      return [`${paint('yellow', 'unusable')} ${result.problem}`];
    case 'differs':
      return [
        `${paint('red', 'differs')}  ${paint('bold', capture)}`,
        ...differenceLines(result.difference, paint),
      ];
    case 'disagrees':
      return [
        `${paint('red', 'disagrees')} ${paint('bold', capture)}`,
        '  the engines differ: “expected” is the result of the app’s store and queue, “got” that of the fold',
        ...differenceLines(result.difference, paint),
      ];
    default:
      return result satisfies never;
  }
}

/** Describes a divergence, indented. */
export function differenceLines({ update, state, end }: Divergence, paint: Paint): string[] {
  const head =
    update === undefined
      ? 'all updates are the same; the end differs'
      : `first differs after update ${update.number} (${update.kind}, ${update.effect}, at ${update.tick} ms)`;
  const last = end.length === 0 ? [] : ['  at the end', ...placesOf(end, paint)];
  return [`  ${head}`, ...placesOf(state, paint), ...last];
}

function placesOf(places: readonly DifferingPlace[], paint: Paint): string[] {
  const more = places.length - LISTED_PLACES;
  const listed = places.slice(0, LISTED_PLACES).flatMap((place) => placeLines(place, paint));
  return more > 0 ? [...listed, `    and ${more} more places`] : listed;
}

/** Describes a place. At the end there is no value before. */
const placeLines = (place: DifferingPlace, paint: Paint): string[] => [
  `    ${place.path}`,
  ...('before' in place ? [paint('dim', valueLine('before', place.before))] : []),
  paint('green', valueLine('expected', place.expected)),
  paint('red', valueLine('got', place.got)),
];

const valueLine = (name: string, value: unknown) => `      ${name.padEnd(8)}  ${formatValue(value)}`;

function totalsLine(results: readonly CaptureResult[], paint: Paint): string {
  const { captures, same, written, differs, disagrees, unusable } = countResults(results);
  const updates = results.reduce((sum, one) => sum + (one.outcome === 'same' ? one.updates : 0), 0);
  const changed = results.filter((one) => one.outcome === 'written' && one.golden !== 'unchanged').length;
  const parts = [
    ...(same > 0 ? [paint('green', `${same} same (${updates} updates)`)] : []),
    ...(written > 0 ? [`${changed} of ${written} goldens written`] : []),
    ...(differs > 0 ? [paint('red', `${differs} ${differs === 1 ? 'differs' : 'differ'}`)] : []),
    ...(disagrees > 0 ? [paint('red', `${disagrees} ${disagrees === 1 ? 'disagrees' : 'disagree'}`)] : []),
    ...(unusable > 0 ? [paint('yellow', `${unusable} unusable`)] : []),
  ];
  return [pluralize(captures, 'capture'), parts.join(', ')].filter(Boolean).join(': ');
}
