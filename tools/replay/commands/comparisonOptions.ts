import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { REPORTERS, type ReporterName } from '../verify/createReporter.ts';
import { type Shard, parseShard, parseShardIndex } from '../verify/resultsFile.ts';
import { DEFAULT_LIMITS } from '../verify/verifyCaptures.ts';
import { FILES_FROM, oneOf, wholeNumber } from '../base/commandOptions.ts';

/** Options of every command that reports results of captures. */
export interface ReportingOptions {
  readonly reporter: ReporterName;
  readonly json?: true;
  readonly values?: true;
  /** A file of known signatures. */
  readonly known?: string;
}

/** Options of every command that replays captures in workers. */
export interface WorkerOptions {
  readonly filesFrom?: string;
  readonly workers?: number;
  /** Seconds. */
  readonly timeout?: number;
  /** MiB. */
  readonly memory?: number;
}

/** Options of every command that compares captures with expected results. */
export interface ComparisonOptions extends ReportingOptions, WorkerOptions {
  readonly shard?: Shard;
  readonly shardIndex?: Shard;
  readonly maxFailures?: number;
  /** An NDJSON report of an earlier run. */
  readonly resume?: string;
  /** The folder that receives a report of each signature. */
  readonly reportDir?: string;
  readonly force?: boolean;
  readonly redact?: boolean;
}

/** Adds {@link ReportingOptions} to a command. */
export const withReportingOptions = (command: Command): Command =>
  command
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json')
    .option('--values', 'prints values of the sessions, also when stdout is not a terminal')
    .option(
      '--known <file>',
      'separates failures with these signatures: a JSON list, or a report of --reporter json; - is stdin',
    );

/** Adds {@link ComparisonOptions} to a command. */
export const withComparisonOptions = (command: Command): Command =>
  withWorkerOptions(withReportingOptions(command))
    .option('--shard <i/n>', 'only the i-th of n parts of the captures', parseShard)
    .option('--shard-index <i/n>', 'the same, with i from 0', parseShardIndex)
    .option(
      '--max-failures <n>',
      'stops after this number of failures that are not known',
      wholeNumber('--max-failures', 1),
    )
    .option('--resume <ndjson>', 'omits the captures of an earlier report, and adds its results; - is stdin')
    .option('--report-dir <folder>', 'writes a report of one example of each signature, and an index')
    .option('--force', 'replaces the reports of an earlier run in that folder')
    .option('--redact', 'replaces personal data in the reports, like `redact`');

/** Adds {@link WorkerOptions} to a command. */
export const withWorkerOptions = (command: Command): Command =>
  command
    .option(...FILES_FROM)
    .option(
      '--workers <n>',
      'number of workers, which are processes (default: number of cores)',
      wholeNumber('--workers', 1),
    )
    .option(
      '--timeout <s>',
      `the longest time of one capture, in seconds (default: ${DEFAULT_LIMITS.timeoutMs / 1000})`,
      seconds,
    )
    .option(
      '--memory <MB>',
      `the memory of one worker (default: ${DEFAULT_LIMITS.memoryMb})`,
      wholeNumber('--memory', 16),
    );

/** Returns the options of a worker pool. */
export const poolOptions = ({ workers, timeout, memory }: WorkerOptions) => ({
  workers,
  timeoutMs: timeout === undefined ? undefined : timeout * 1000,
  memoryMb: memory,
});

/** The longest time of a timer, seconds. */
const LONGEST = 2 ** 31 / 1000;

/** Parses seconds, for commander. */
function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value < LONGEST) return value;
  throw new UsageError('--timeout takes a number of seconds greater than 0');
}
