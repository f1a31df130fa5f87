import { type ExitStatus, UsageError } from '../base/errors.ts';
import { listenForInterruption, untilAborted } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { type FoundCapture, givenCaptures } from '../read/findCaptures.ts';
import { captureName, requireOneStdin } from '../read/stdin.ts';
import { type CaptureResult, type ResultRecord, recordOf, withoutValues } from '../verify/resultRecord.ts';
import { type RunEnd, type Shard, isInShard, readResults, runText } from '../verify/resultsFile.ts';
import type { VerifyCapturesOptions } from '../verify/verifyCaptures.ts';
import { type ComparisonOptions, type ReportingOptions, poolOptions } from './comparisonOptions.ts';
import { type ReportFolder, openReportFolder } from './reportFolder.ts';
import { pluralize } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { createProgress } from '../base/progress.ts';
import {
  type Totals,
  countResult,
  createFailureGroups,
  exitStatus,
  failureCount,
  noTotals,
  readKnownSignatures,
} from '../verify/failureGroups.ts';
import { type ReporterName, createReporter } from '../verify/createReporter.ts';
import type { ReporterOptions } from '../verify/reporter.ts';

/** What each comparison gets. */
type SharedOptions = Pick<
  VerifyCapturesOptions,
  'workers' | 'timeoutMs' | 'memoryMb' | 'signal' | 'isUnordered'
>;

interface Comparison extends ComparisonOptions {
  /** The name of the command. */
  readonly command: string;
  /** The label of the progress. */
  readonly label: string;
  /** What the user can do about a difference. */
  readonly advice: string;
  /** Whether goldens are written. */
  readonly update?: true;
  readonly engine?: string;
  /** The adapter of another app. */
  readonly app?: string;
  /** The captures that follow the first one. */
  readonly then?: readonly string[];
  /** The revision whose results are expected, if it is not a golden. */
  readonly base?: string | undefined;
  /** The arguments. */
  readonly given: readonly string[];
  readonly compare: (captures: AsyncIterable<string>, shared: SharedOptions) => AsyncIterable<CaptureResult>;
}

/** Compares each capture with its expected result, and reports. Resolves to the exit status. */
export async function runComparison(output: Output, comparison: Comparison): Promise<ExitStatus> {
  const { compare, maxFailures = Infinity, reporter, filesFrom, resume, known } = comparison;
  requireOneStdin([filesFrom, resume, known]);
  const { signal, received, statusOr } = listenForInterruption();
  const reports = await openReports(comparison, output);
  const found = givenCaptures(comparison);
  const shard = shardOf(comparison);
  const about = { ...comparison, shard, options: decisiveOptions(comparison) };
  const collector = await collectResults(output, about);
  const done = await addEarlier(about, collector);
  const shared = { ...poolOptions(comparison), signal, isUnordered: reporter === 'ndjson' };
  const isStopped = () => collector.newFailures() >= maxFailures;
  try {
    const captures = remaining(found, shard, done);
    for await (const result of isStopped() ? [] : untilAborted(compare(captures, shared), signal)) {
      await collector.add(recordOf(result));
      if (isStopped()) break;
    }
  } catch (error) {
    if (!collector.isEmpty()) await collector.end('error');
    throw error;
  }
  const status = await collector.end(received() ?? (isStopped() ? 'max-failures' : 'complete'));
  if (received() === undefined) await reports?.write(collector.groups());
  else if (reports !== undefined) output.err('interrupted: no reports are written\n');
  return statusOr(status);
}

async function openReports(
  { reportDir: path, force, redact, app }: Comparison,
  output: Output,
): Promise<ReportFolder | undefined> {
  if (path !== undefined)
    return openReportFolder({ path, force: force === true, redact: redact === true, app }, output);
  if (force ?? redact) throw new UsageError('--force and --redact are about the reports of --report-dir');
  return undefined;
}

/** @throws {UsageError} when both options name a shard. */
function shardOf({ shard, shardIndex }: Comparison): Shard | undefined {
  if (shard !== undefined && shardIndex !== undefined)
    throw new UsageError('--shard and --shard-index both name a part; leave one of them out');
  return shard ?? shardIndex;
}

/** Returns the options on which results depend. */
const decisiveOptions = ({ update, engine, app, base, then = [] }: Comparison): string =>
  [
    update && '--update',
    engine === 'fold' && '--engine fold',
    app && `--app ${app}`,
    base && `--base ${base}`,
    ...then.map((path) => `--then ${path}`),
  ]
    .filter(Boolean)
    .join(' ');

interface Resumed {
  readonly resume?: string;
  readonly command: string;
  readonly options: string;
  readonly shard: Shard | undefined;
}

/**
 * Adds the results of an earlier report; resolves to the captures that have one.
 * @throws {UsageError} when it is not a report of the same run.
 */
async function addEarlier(
  { resume, ...run }: Resumed,
  { addEarlier: add }: ResultCollector,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  if (resume === undefined) return done;
  for await (const line of readResults(resume)) {
    if (line.type === 'header' && runText(line.header) !== runText(run))
      throw new UsageError(
        `${captureName(resume)}: is a report of \`${runText(line.header)}\`, not of \`${runText(run)}\`; name a report of the same run`,
      );
    if (line.type !== 'result' || done.has(line.record.capture)) continue;
    done.add(line.record.capture);
    add(line.record);
  }
  return done;
}

async function* remaining(
  captures: AsyncIterable<FoundCapture>,
  part: Shard | undefined,
  done: ReadonlySet<string>,
): AsyncGenerator<string, void> {
  for await (const { path, name } of captures)
    if ((part === undefined || isInShard(name, part)) && !done.has(path)) yield path;
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

type ResultCollector = Awaited<ReturnType<typeof collectResults>>;

/**
 * Starts a report: passes results to a reporter, counts them, groups the failures, and shows the progress.
 * @throws {UsageError} when the file of known signatures cannot be read, or the reporter is not clear.
 */
export async function collectResults(
  output: Output,
  { known, values, reporter: named, json, label, ...about }: CollectorOptions,
) {
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
  /** Returns the number of failures that are not known. */
  const newFailures = () => failureCount(totals) - totals.known;
  /** On a terminal, the line of progress must not mix with the results. */
  const isShared = output.isOutTerminal === true && name !== 'pretty';
  return {
    newFailures,
    /** Returns the failures so far by signature. */
    groups: groups.list,
    /** Returns whether there is no result yet. */
    isEmpty: () => totals.captures === 0,
    async add(record: ResultRecord): Promise<void> {
      const shown = hasValues ? record : withoutValues(record);
      if (record.warnings.length > 0 || record.outcome === 'written') progress.end();
      printWarnings(output, record.warnings);
      reporter.add(shown, count(shown));
      const failures = newFailures();
      const failed = failures > 0 ? `, ${pluralize(failures, 'failure')}` : '';
      if (!isShared) progress.show(`${pluralize(totals.captures, 'capture')}${failed}`);
      await output.flushed?.();
    },
    /** Counts the result of an earlier run; a report that already contains it does not repeat it. */
    addEarlier(record: ResultRecord): void {
      const shown = hasValues ? record : withoutValues(record);
      const group = count(shown);
      if (name !== 'ndjson') reporter.add(shown, group);
    },
    /** Ends the report; resolves to the exit status of the results. */
    async end(end: RunEnd): Promise<ExitStatus> {
      progress.end();
      const seconds = Math.round(about.isMerge === true ? replayMs : clock.now() - start) / 1000;
      await reporter.end({ end, totals, groups: groups.list(), seconds });
      return exitStatus(totals);
    },
  };
}
