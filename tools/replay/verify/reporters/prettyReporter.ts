import { styleText } from 'node:util';
import { pluralize } from '#shared/formatText.ts';
import { visibleName } from '../../base/visibleText.ts';
import type { FailureGroup, Totals } from '../failureGroups.ts';
import { type Paint, resultLines, unpainted } from './describeResult.ts';
import {
  type Replayed,
  type Reporter,
  type ReporterOptions,
  describeEnd,
  inspectCommand,
} from './reporter.ts';

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
      const parts = [...groupLines(news, { paint, replayed: { app, base } }), ...knownLines(known)];
      const lines = [
        ...parts,
        ...(parts.length > 0 || changed > 0 ? [''] : []),
        ...(stopped === undefined ? [] : [paint('yellow', stopped)]),
        `${totalsLine({ totals, updates, changed, paint })}${isMerge ? '; their replays took' : ' in'} ${seconds.toFixed(1)} s`,
        ...(news.some(({ outcome }) => outcome === 'differs') ? [advice] : []),
      ];
      output.out(`${lines.join('\n')}\n`);
    },
  };
}

interface GroupStyle {
  readonly paint: Paint;
  readonly replayed: Replayed;
}

function groupLines(groups: readonly FailureGroup[], style: GroupStyle): string[] {
  const more = groups.length - PRINTED_GROUPS;
  return [
    ...groups.slice(0, PRINTED_GROUPS).flatMap((group) => oneGroup(group, style)),
    ...(more > 0 ? [`and ${more} more signatures; --reporter json has all of them`] : []),
  ];
}

/** Describes the first failure of a group, and names a few of the others. */
function oneGroup(
  { example, count, others, signature }: FailureGroup,
  { paint, replayed }: GroupStyle,
): string[] {
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

interface TotalsText {
  readonly totals: Totals;
  readonly updates: number;
  readonly changed: number;
  readonly paint: Paint;
}

function totalsLine({ totals, updates, changed, paint }: TotalsText): string {
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
