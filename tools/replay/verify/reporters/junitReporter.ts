import { pluralize } from '#shared/pluralize.ts';
import { createSpool } from '../../base/spool.ts';
import { failureCount } from '../totals.ts';
import type { FailureGroup } from '../failureGroups.ts';
import type { ResultRecord } from '../resultRecord.ts';
import { resultLines, unpainted } from './describeResult.ts';
import { type Replayed, inspectCommand } from './inspectCommand.ts';
import { type Ending, type Reporter, type ReporterOptions, describeEnd, isListed } from './reporter.ts';

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
