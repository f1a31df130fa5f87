import { failureCount } from '../totals.ts';
import type { FailureGroup } from '../failureGroups.ts';
import type { ResultRecord } from '../resultRecord.ts';
import { resultLines, unpainted } from './describeResult.ts';
import { type Replayed, inspectCommand } from './inspectCommand.ts';
import { type Ending, type Reporter, type ReporterOptions, describeEnd } from './reporter.ts';
import { createSpool } from './spool.ts';

/**
 * Prints JUnit XML with a test case for each capture: failures of the code are failures, `unusable` is an error, a known failure is
 * skipped. The test cases wait in a temporary file, because their numbers come first.
 */
export function junitReporter({ output, app, base }: ReporterOptions): Reporter {
  const cases = createSpool();
  return {
    add: (record, group) => cases.write(`    ${testCase(record, group, { app, base })}\n`),
    end(ending) {
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

function testCase(record: ResultRecord, group: FailureGroup | undefined, replayed: Replayed): string {
  const seconds = (record.ms / 1000).toFixed(4);
  const opening = `<testcase classname="parley-replay" name="${escaped(record.capture)}" time="${seconds}"`;
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
