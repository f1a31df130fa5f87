import { type ExitStatus, UsageError } from '../base/errors.ts';
import { listenForInterruption, untilAborted } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import type { Replayed } from '../engine/sessionAdapter.ts';
import { type FoundCapture, givenCaptures } from '../read/findCaptures.ts';
import { captureName, requireOneStdin } from '../read/stdin.ts';
import { type ResultRecord, recordOf, withoutValues } from '../verify/resultRecord.ts';
import { type RunEnd, type Shard, WHOLE, isInShard, readResults, runText } from '../verify/resultsFile.ts';
import type { VerifyCapturesOptions } from '../verify/verifyCaptures.ts';
import type { WorkerLimits } from '../workers/runInWorkers.ts';
import { type ComparisonOptions, type ReportingOptions, poolOptions } from './comparisonOptions.ts';
import { openReportFolder } from './reportFolder.ts';
import { pluralize } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { createProgress } from '../base/progress.ts';
import { createTally, exitStatus, failureCount, readKnownSignatures } from '../verify/failureGroups.ts';
import { type ReporterOptions, createReporter } from '../verify/createReporter.ts';

/** What each comparison gets. */
type SharedOptions = Pick<VerifyCapturesOptions, keyof WorkerLimits | 'signal' | 'isUnordered'>;

interface Comparison extends ComparisonOptions, Omit<CollectorOptions, keyof ComparisonOptions> {
  /** Whether goldens are written. */
  readonly update?: true;
  readonly engine?: string;
  /** The captures that follow the first one. */
  readonly then?: readonly string[];
  /** The app that is replayed without `--app`. */
  readonly own: Replayed;
  /** The arguments. */
  readonly given: readonly string[];
  readonly compare: (captures: AsyncIterable<string>, shared: SharedOptions) => AsyncIterable<ResultRecord>;
  /** The revision of `verify --changed`. */
  readonly changed?: string;
  /** Returns the number of captures that are omitted, because no change affects them. */
  readonly omitted?: (() => number) | undefined;
}

/** Compares each capture with its expected result, and reports. Resolves to the exit status. */
export async function runComparison(output: Output, comparison: Comparison): Promise<ExitStatus> {
  const { compare, maxFailures = Infinity, reporter, filesFrom, resume, known } = comparison;
  requireOneStdin([filesFrom, resume, known]);
  const { signal, received, statusOr } = listenForInterruption();
  const writeReports = await openReports(comparison, output);
  const found = givenCaptures(comparison);
  if (comparison.shard !== undefined && comparison.shardIndex !== undefined)
    throw new UsageError('--shard and --shard-index both name a part; leave one of them out');
  const shard = comparison.shard ?? comparison.shardIndex;
  const about = { ...comparison, shard, options: decisiveOptions(comparison) };
  const collector = await collectResults(output, about);
  const done = new Set<string>();
  for await (const record of earlierResults(resume, about)) {
    if (!done.has(record.capture)) collector.addEarlier(record);
    done.add(record.capture);
  }
  const shared = { ...poolOptions(comparison), signal, isUnordered: reporter === 'ndjson' };
  const isStopped = () => collector.newFailures() >= maxFailures;
  try {
    const captures = remaining(found, shard ?? WHOLE, done);
    for await (const result of isStopped() ? [] : untilAborted(compare(captures, shared), signal)) {
      await collector.add(recordOf(result));
      if (isStopped()) break;
    }
  } catch (error) {
    if (!collector.isEmpty()) await collector.end('error');
    throw error;
  }
  const end = received() ?? (isStopped() ? 'max-failures' : 'complete');
  const status = await collector.end(end, comparison.omitted?.());
  if (received() === undefined) await writeReports?.(collector.groups());
  else if (writeReports !== undefined) output.err('interrupted: no reports are written\n');
  return statusOr(status);
}

async function openReports({ reportDir: path, force, redact, app, own }: Comparison, output: Output) {
  if (path !== undefined) return openReportFolder({ path, force, redact, app, own }, output);
  if (force ?? redact) throw new UsageError('--force and --redact are about the reports of --report-dir');
  return undefined;
}

/** Returns the options on which results depend. */
const decisiveOptions = ({ update, engine, app, base, changed, then = [] }: Comparison): string =>
  [
    update && '--update',
    engine === 'fold' && '--engine fold',
    app && `--app ${app}`,
    base && `--base ${base}`,
    changed && `--changed ${changed}`,
    ...then.map((path) => `--then ${path}`),
  ]
    .filter(Boolean)
    .join(' ');

/**
 * Yields the results of an earlier report.
 * @throws {UsageError} when it is not a report of the same run.
 */
async function* earlierResults(resume: string | undefined, run: Parameters<typeof runText>[0]) {
  if (resume === undefined) return;
  for await (const line of readResults(resume)) {
    if ('format' in line && runText(line) !== runText(run))
      throw new UsageError(
        `${captureName(resume)}: is a report of \`${runText(line)}\`, not of \`${runText(run)}\`; name a report of the same run`,
      );
    if ('capture' in line) yield line;
  }
}

async function* remaining(captures: AsyncIterable<FoundCapture>, part: Shard, done: ReadonlySet<string>) {
  for await (const { path, name } of captures) if (isInShard(name, part) && !done.has(path)) yield path;
}

/** What a report is about. */
export interface CollectorOptions extends ReportingOptions, Omit<ReporterOptions, 'output'> {
  /** The label of the progress. */
  readonly label: string;
}

/**
 * Starts a report: passes results to a reporter, counts them, groups the failures, and shows the progress.
 * @throws {UsageError} when the file of known signatures cannot be read, or the reporter is not clear.
 */
export async function collectResults(output: Output, options: CollectorOptions) {
  const { known, values, reporter: named, json, label, ...about } = options;
  if (json && named !== 'pretty' && named !== 'json')
    throw new UsageError(`--json and --reporter ${named} are different reports; leave one of them out`);
  const clock = systemClock(globalThis);
  const start = clock.now();
  const tally = createTally(known === undefined ? undefined : await readKnownSignatures(known));
  const { totals } = tally;
  const name = json ? 'json' : named;
  const hasValues = values ?? (output.isOutTerminal === true && name === 'pretty');
  const reporter = createReporter(name, { output, ...about });
  const progress = createProgress(output, clock, label);
  let replayMs = 0;
  /** Counts a result, and returns what the report shows of it. */
  const count = (record: ResultRecord) => {
    replayMs += record.ms;
    const shown = hasValues ? record : withoutValues(record);
    return [shown, tally.add(shown)] as const;
  };
  /** Returns the number of failures that are not known. */
  const newFailures = () => failureCount(totals) - totals.known;
  /** On a terminal, the line of progress must not mix with the results. */
  const isShared = output.isOutTerminal === true && name !== 'pretty';
  return {
    newFailures,
    /** Returns the failures so far by signature. */
    groups: tally.groups,
    /** Returns whether there is no result yet. */
    isEmpty: () => totals.captures === 0,
    async add(record: ResultRecord): Promise<void> {
      if (record.warnings.length > 0 || record.outcome === 'written') progress.end();
      printWarnings(output, record.warnings);
      reporter.add(...count(record));
      const failures = newFailures();
      const failed = failures > 0 ? `, ${pluralize(failures, 'failure')}` : '';
      if (!isShared) progress.show(`${pluralize(totals.captures, 'capture')}${failed}`);
      await output.flushed?.();
    },
    /** Counts the result of an earlier run; a report that already contains it does not repeat it. */
    addEarlier(record: ResultRecord): void {
      const counted = count(record);
      if (name !== 'ndjson') reporter.add(...counted);
    },
    /** Ends the report; resolves to the exit status of the results. */
    async end(end: RunEnd, omitted?: number): Promise<ExitStatus> {
      progress.end();
      const seconds = Math.round(about.isMerge === true ? replayMs : clock.now() - start) / 1000;
      reporter.end({ end, totals, groups: tally.groups(), seconds, omitted });
      return exitStatus(totals);
    },
  };
}
