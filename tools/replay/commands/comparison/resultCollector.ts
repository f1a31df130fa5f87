import { pluralize } from '#shared/pluralize.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { UsageError } from '../../base/errors.ts';
import type { Output } from '../../base/output.ts';
import { printWarnings } from '../../base/printWarnings.ts';
import { createProgress } from '../../base/progress.ts';
import { type FailureGroup, createFailureGroups } from '../../verify/failureGroups.ts';
import { readKnownSignatures } from '../../verify/knownSignatures.ts';
import { type ReporterName, createReporter } from '../../verify/reporters/createReporter.ts';
import type { ReporterOptions } from '../../verify/reporters/reporter.ts';
import type { RunEnd } from '../../verify/resultsFile.ts';
import { type ResultRecord, withoutValues } from '../../verify/resultRecord.ts';
import { type Totals, countResult, exitStatus, failureCount, noTotals } from '../../verify/totals.ts';
import type { ExitStatus } from '../../base/errors.ts';
import type { ReportingOptions } from './comparisonOptions.ts';

/** Passes results to a reporter, counts them, groups the failures, and shows the progress. */
export interface ResultCollector {
  add(record: ResultRecord): Promise<void>;
  /** Returns whether there is no result yet. */
  isEmpty(): boolean;
  /** Counts the result of an earlier run; a report that already contains it does not repeat it. */
  addEarlier(record: ResultRecord): void;
  /** The number of failures that are not known. */
  newFailures(): number;
  /** Returns the failures so far by signature. */
  groups(): readonly FailureGroup[];
  /** Ends the report; returns the exit status of the results. */
  end(end: RunEnd): Promise<ExitStatus>;
}

/** What a report is about. */
export interface CollectorOptions extends ReportingOptions, Omit<ReporterOptions, 'output'> {
  /** The label of the progress. */
  readonly label: string;
}

/** @throws {UsageError} when `--json` and `--reporter` contradict each other. */
function reporterName(named: ReporterName, json = false): ReporterName {
  if (json && named !== 'pretty' && named !== 'json')
    throw new UsageError(`--json and --reporter ${named} are different reports; leave one of them out`);
  return json ? 'json' : named;
}

/**
 * Starts a report.
 * @throws {UsageError} when the file of known signatures cannot be read, or the reporter is not clear.
 */
export async function collectResults(
  output: Output,
  { known, values, reporter: named, json, label, ...about }: CollectorOptions,
): Promise<ResultCollector> {
  const clock = systemClock(globalThis);
  const start = clock.now();
  const groups = createFailureGroups(known === undefined ? undefined : await readKnownSignatures(known));
  const name = reporterName(named, json);
  const hasValues = values ?? (output.isOutTerminal === true && name === 'pretty');
  const reporter = createReporter(name, { output, ...about });
  const progress = createProgress(output, clock, label);
  const totals: Totals = noTotals();
  let replayMs = 0;
  const count = (record: ResultRecord) => {
    replayMs += record.ms;
    const group = groups.add(record);
    countResult(totals, record.outcome, group?.isKnown);
    return group;
  };
  const newFailures = () => failureCount(totals) - totals.known;
  /** On a terminal, the line of progress must not mix with the results. */
  const isShared = output.isOutTerminal === true && name !== 'pretty';
  return {
    newFailures,
    groups: groups.list,
    isEmpty: () => totals.captures === 0,
    async add(record) {
      const shown = hasValues ? record : withoutValues(record);
      if (record.warnings.length > 0 || record.outcome === 'written') progress.end();
      printWarnings(output, record.warnings);
      reporter.add(shown, count(shown));
      const failures = newFailures();
      const failed = failures > 0 ? `, ${pluralize(failures, 'failure')}` : '';
      if (!isShared) progress.show(`${pluralize(totals.captures, 'capture')}${failed}`);
      await output.flushed?.();
    },
    addEarlier(record) {
      const shown = hasValues ? record : withoutValues(record);
      const group = count(shown);
      if (name !== 'ndjson') reporter.add(shown, group);
    },
    async end(end) {
      progress.end();
      const seconds = Math.round(about.isMerge === true ? replayMs : clock.now() - start) / 1000;
      await reporter.end({ end, totals, groups: groups.list(), seconds });
      return exitStatus(totals);
    },
  };
}
