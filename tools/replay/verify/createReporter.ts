import { pluralize } from '#shared/formatText.ts';
import { createSpool } from '../base/spool.ts';
import { type FailureGroup, failureCount } from './failureGroups.ts';
import { prettyReporter, resultLines, unpainted } from './prettyReporter.ts';
import {
  type Ending,
  type Replayed,
  type Reporter,
  type ReporterOptions,
  describeEnd,
  inspectCommand,
  isListed,
} from './reporter.ts';
import type { ResultRecord } from './resultRecord.ts';
import { RESULTS_FORMAT, RESULTS_VERSION } from './resultsFile.ts';

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
  let separator = '{"results":[';
  return {
    add(record, group) {
      if (isMerge && !isListed(record)) return;
      output.out(`${separator}${JSON.stringify(briefRecord(record, group))}`);
      separator = ',';
    },
    end(ending) {
      const opening = separator === ',' ? '' : separator;
      output.out(`${opening}],${JSON.stringify(endDocument(ending)).slice(1)}\n`);
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
const endDocument = ({ end, totals, groups, seconds }: Ending) => ({
  end,
  interrupted: end === 'SIGINT' || end === 'SIGTERM',
  ...totals,
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
  const print = (value: object) => output.out(`${JSON.stringify(value)}\n`);
  const about = {
    command,
    ...(options && { options }),
    ...(shard && { shard }),
    ...(app !== undefined && { app }),
    ...(base !== undefined && { base }),
  };
  print({ format: RESULTS_FORMAT, version: RESULTS_VERSION, ...about });
  return {
    add: (record, group) => print(briefRecord(record, group)),
    end: (ending) => print(endDocument(ending)),
  };
}

/**
 * Prints JUnit XML with a test case for each capture: failures of the code are failures, `unusable` is an error, a known failure is
 * skipped. A merged report has one test case for all captures without a failure. The test cases wait in a temporary file, because their
 * numbers come first.
 */
export function junitReporter({ output, app, base, isMerge = false }: ReporterOptions): Reporter {
  const cases = createSpool();
  const others = { count: 0, ms: 0 };
  return {
    add(record, group) {
      if (!isMerge || isListed(record)) cases.write(`    ${testCase(record, group, { app, base })}\n`);
      else {
        others.count++;
        others.ms += record.ms;
      }
    },
    end(ending) {
      if (others.count > 0) cases.write(`    ${othersCase(others)}\n`);
      const stop = stopCase(ending);
      const counts = countsOf(ending, stop === '' ? 0 : 1);
      output.out('<?xml version="1.0" encoding="UTF-8"?>\n');
      output.out(`<testsuites ${counts}>\n  <testsuite name="parley-replay" ${counts}>\n`);
      cases.read((piece) => output.out(piece));
      output.out(`${stop}  </testsuite>\n</testsuites>\n`);
    },
  };
}

function countsOf({ totals, seconds }: Ending, stops: number): string {
  const { captures, unusable, known } = totals;
  const failures = failureCount(totals) - unusable - known;
  const skipped = known > 0 ? ` skipped="${known}"` : '';
  return `tests="${captures + stops}" failures="${failures}" errors="${unusable + stops}"${skipped} time="${seconds.toFixed(3)}"`;
}

/** Returns a test case with an error when the run was stopped: a report of a part is no success. */
function stopCase({ end }: Ending): string {
  const text = describeEnd(end);
  if (text === undefined) return '';
  const error = `<error type="interrupted" message="${escaped(text)}"/>`;
  return `    <testcase classname="parley-replay" name="all captures are verified">${error}</testcase>\n`;
}

const othersCase = ({ count, ms }: { readonly count: number; readonly ms: number }): string =>
  `${caseOpening(`${pluralize(count, 'capture')} without a failure`, ms)}/>`;

const caseOpening = (name: string, ms: number): string =>
  `<testcase classname="parley-replay" name="${escaped(name)}" time="${(ms / 1000).toFixed(4)}"`;

function testCase(record: ResultRecord, group: FailureGroup | undefined, replayed: Replayed): string {
  const opening = caseOpening(record.capture, record.ms);
  return group === undefined
    ? `${opening}/>`
    : `${opening}>${outcomeElement(record, group, replayed)}</testcase>`;
}

function outcomeElement(record: ResultRecord, group: FailureGroup, replayed: Replayed): string {
  const { outcome, problem, signature = '' } = record;
  if (outcome === 'unusable') return `<error type="unusable" message="${escaped(problem ?? '')}"/>`;
  if (group.isKnown) return `<skipped message="${escaped(`known: ${signature}`)}"/>`;
  const lines =
    group.example === record
      ? [...resultLines(record, unpainted).slice(1), ...inspectLines(record, replayed)]
      : [`  the same signature as ${group.example.capture}`];
  const text = problem === undefined ? escaped(lines.join('\n')) : escaped(problem);
  return `<failure type="${outcome}" message="${escaped(signature)}">${text}</failure>`;
}

function inspectLines(record: ResultRecord, replayed: Replayed): string[] {
  const command = inspectCommand(record, replayed);
  return command === undefined ? [] : [`  inspect it with: ${command}`];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. A character that XML 1.0 cannot contain becomes the replacement character. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
