import { styleText } from 'node:util';
import { pluralize } from '#shared/formatText.ts';
import type { z } from 'zod';
import { jsonLine } from '../base/jsonDocument.ts';
import type { Output } from '../base/output.ts';
import { createSpool } from '../base/spool.ts';
import { visibleName } from '../base/visibleText.ts';
import type { FailureGroup, Totals } from './failureGroups.ts';
import { type Paint, type Replayed, inspectCommand, resultLines, unpainted } from './resultLines.ts';
import { type ResultRecord, recordSchema } from './resultRecord.ts';
import { type RunEnd, type Shard, describeEnd, endSchema, headerOf, reportSchema } from './resultsFile.ts';

/** The end of a run. */
interface Ending {
  readonly end: RunEnd;
  readonly totals: Totals;
  readonly groups: readonly FailureGroup[];
  /** Duration of the run, seconds; of a merge, the sum of the captures' replays. */
  readonly seconds: number;
  /** The number of captures that were not verified, because no change affects them. */
  readonly omitted?: number | undefined;
}

/** Prints the results of a run. */
interface Reporter {
  /** Prints a result, or keeps what its report needs. */
  add(record: ResultRecord, group: FailureGroup | undefined): void;
  end(ending: Ending): void;
}

/** What reporters need. */
export interface ReporterOptions extends Replayed {
  readonly output: Output;
  /** What the user can do about a difference. */
  readonly advice: string;
  /** The command whose results these are. */
  readonly command: string;
  /** The options on which the results depend, as the user wrote them. */
  readonly options?: string;
  /** Whether the results are those of several reports: the report then lists failures and new goldens, and counts the other captures. */
  readonly isMerge?: boolean | undefined;
  readonly shard?: Shard | undefined;
}

/** Returns whether a merged report lists a result. */
const isListed = ({ outcome, golden }: ResultRecord): boolean => outcome !== 'same' && golden !== 'unchanged';

const CREATE = {
  pretty: prettyReporter,
  json: jsonReporter,
  ndjson: ndjsonReporter,
  junit: junitReporter,
} as const;

export type ReporterName = keyof typeof CREATE;

/** The names of the reporters. */
export const REPORTERS: readonly ReporterName[] = ['pretty', 'json', 'ndjson', 'junit'];

/** Creates a reporter by its name. */
export const createReporter = (name: ReporterName, options: ReporterOptions): Reporter =>
  CREATE[name](options);

/** Prints one JSON document, piece by piece: the results, then the totals and the groups of failures. */
function jsonReporter({ output, isMerge = false }: ReporterOptions): Reporter {
  let opening = '{"results":[';
  let separator = '';
  return {
    add(record, group) {
      if (isMerge && !isListed(record)) return;
      output.out(opening + separator + jsonLine(recordSchema, briefRecord(record, group)).trimEnd());
      [opening, separator] = ['', ','];
    },
    end(ending) {
      const end = jsonLine(reportSchema.omit({ results: true }), endDocument(ending));
      output.out(`${opening}],${end.slice(1)}`);
    },
  };
}

/** Returns a record without its difference, unless it is the example of its group. */
function briefRecord(record: ResultRecord, group: FailureGroup | undefined): ResultRecord {
  if (group === undefined || group.example === record) return record;
  const { difference: _difference, ...brief } = record;
  return brief;
}

/** Returns the end of a run as the JSON reports contain it. */
const endDocument = ({ end, totals, groups, seconds, omitted }: Ending): z.input<typeof endSchema> => ({
  end,
  interrupted: end === 'SIGINT' || end === 'SIGTERM',
  ...totals,
  omitted,
  seconds,
  groups: groups.map(({ signature, count, isKnown, example }) => ({
    signature,
    count,
    known: isKnown,
    example: example.capture,
  })),
});

/** Prints a header, then each result on a line as soon as it is ready, then the end of the run. */
function ndjsonReporter({ output, command, options, shard, app, base }: ReporterOptions): Reporter {
  output.out(headerOf({ command, options: options || undefined, shard, app, base }));
  return {
    add: (record, group) => output.out(jsonLine(recordSchema, briefRecord(record, group))),
    end: (ending) => output.out(jsonLine(endSchema, endDocument(ending))),
  };
}

/**
 * Prints JUnit XML with a test case for each capture: failures of the code are failures, `unusable` is an error, a known failure is
 * skipped. A merged report has one test case for all captures without a failure. The test cases wait in a temporary file, because their
 * numbers come first.
 */
export function junitReporter({ output, isMerge = false, ...replayed }: ReporterOptions): Reporter {
  const cases = createSpool();
  const others = { count: 0, ms: 0 };
  const write = (name: string, ms: number | undefined, content = '') => {
    const time = ms === undefined ? '' : ` time="${(ms / 1000).toFixed(4)}"`;
    const opening = `    <testcase classname="parley-replay" name="${escaped(name)}"${time}`;
    cases.write(content === '' ? `${opening}/>\n` : `${opening}>${content}</testcase>\n`);
  };
  return {
    add(record, group) {
      if (!isMerge || isListed(record))
        return write(record.capture, record.ms, group && outcomeElement(record, group, replayed));
      others.count++;
      others.ms += record.ms;
    },
    end({ end, totals, seconds }) {
      const { captures, unusable, known, differs, stopped } = totals;
      const text = describeEnd(end);
      if (others.count > 0) write(`${pluralize(others.count, 'capture')} without a failure`, others.ms);
      // A report of a part is no success.
      const stops = text === undefined ? 0 : 1;
      const error = text && `<error type="interrupted" message="${escaped(text)}"/>`;
      if (error) write('all captures are verified', undefined, error);
      const skipped = known > 0 ? ` skipped="${known}"` : '';
      const counts = `tests="${captures + stops}" failures="${differs + stopped - known}" errors="${unusable + stops}"${skipped} time="${seconds.toFixed(3)}"`;
      output.out('<?xml version="1.0" encoding="UTF-8"?>\n');
      output.out(`<testsuites ${counts}>\n  <testsuite name="parley-replay" ${counts}>\n`);
      cases.read((piece) => output.out(piece));
      output.out('  </testsuite>\n</testsuites>\n');
    },
  };
}

function outcomeElement(record: ResultRecord, group: FailureGroup, replayed: Replayed): string {
  const { outcome, problem, signature = '' } = record;
  if (outcome === 'unusable') return `<error type="unusable" message="${escaped(problem ?? '')}"/>`;
  if (group.isKnown) return `<skipped message="${escaped(`known: ${signature}`)}"/>`;
  const command = inspectCommand(record, replayed);
  const inspect = command === undefined ? [] : [`  inspect it with: ${command}`];
  const lines =
    group.example === record
      ? [...resultLines(record, unpainted).slice(1), ...inspect]
      : [`  the same signature as ${group.example.capture}`];
  const text = escaped(problem ?? lines.join('\n'));
  return `<failure type="${outcome}" message="${escaped(signature)}">${text}</failure>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. A character that XML 1.0 cannot contain becomes the replacement character. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

/** More groups are counted, not printed. */
const PRINTED_GROUPS = 50;

/** Prints results for people: each golden that changed, one paragraph for each signature of failures, the totals. */
function prettyReporter({ output, advice, isMerge = false, ...replayed }: ReporterOptions): Reporter {
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
      const news = groups.filter(({ isKnown }) => !isKnown);
      const more = news.length - PRINTED_GROUPS;
      const stopped = describeEnd(end);
      const parts = [
        ...news.slice(0, PRINTED_GROUPS).flatMap((group) => oneGroup(group, paint, replayed)),
        ...(more > 0 ? [`and ${more} more signatures; --reporter json has all of them`] : []),
        ...groups
          .filter(({ isKnown }) => isKnown)
          .map(({ count, signature }) => `known    ${pluralize(count, 'capture')}: ${signature}`),
      ];
      const lines = [
        ...parts,
        ...(parts.length > 0 || changed > 0 ? [''] : []),
        ...(stopped === undefined ? [] : [paint('yellow', stopped)]),
        `${totalsLine({ ...totals, updates, changed }, paint)}${isMerge ? '; their replays took' : ' in'} ${seconds.toFixed(1)} s`,
        ...(news.some(({ outcome }) => outcome === 'differs') ? [advice] : []),
      ];
      output.out(`${lines.join('\n')}\n`);
    },
  };
}

/** Describes the first failure of a group, and names a few of the others. */
function oneGroup(group: FailureGroup, paint: Paint, replayed: Replayed): string[] {
  const { example, count, others, signature } = group;
  const more = count - 1 - others.length;
  const inspect = inspectCommand(example, replayed);
  const names = `${others.map(visibleName).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    ...resultLines(example, paint),
    ...(inspect === undefined ? [] : [`  signature  ${signature}`, `  inspect    ${inspect}`]),
    ...(count > 1 ? [`  ${pluralize(count, 'capture')} with this signature; also ${names}`] : []),
  ];
}

function totalsLine(totals: Totals & Record<'updates' | 'changed', number>, paint: Paint): string {
  const { captures, same, updates, written, changed, differs, stopped, unusable, known } = totals;
  const parts = [
    same > 0 && paint('green', `${same} same (${updates} updates)`),
    written > 0 && `${changed} of ${written} goldens written`,
    differs > 0 && paint('red', `${differs} ${differs === 1 ? 'differs' : 'differ'}`),
    stopped > 0 && paint('red', `${stopped} stopped`),
    unusable > 0 && paint('yellow', `${unusable} unusable`),
    known > 0 && `${known} of the failures known`,
  ];
  return [pluralize(captures, 'capture'), parts.filter(Boolean).join(', ')].filter(Boolean).join(': ');
}
