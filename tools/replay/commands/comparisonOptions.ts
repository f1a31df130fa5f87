import type { Command, OptionValues } from '@commander-js/extra-typings';
import { REPORTERS } from '../verify/createReporter.ts';
import { parseShard, parseShardIndex } from '../verify/resultsFile.ts';
import { DEFAULT_LIMITS } from '../workers/runInWorkers.ts';
import { FILES_FROM, numberOption, oneOf, wholeNumber } from '../base/commandOptions.ts';

/** The longest time of a timer, seconds. */
const LONGEST = 2 ** 31 / 1000;

/** Adds the options of every command that reports results of captures. */
export const withReportingOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json')
    .option('--values', 'prints values of the sessions, also when stdout is not a terminal')
    .option(
      '--known <file>',
      'separates failures with these signatures: a JSON list, or a report of --reporter json; - is stdin',
    );

/** Adds the options of every command that compares captures with expected results. */
export const withComparisonOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
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

/** Adds the options of every command that replays captures in workers. */
export const withWorkerOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  withLimitOptions(command).option(...FILES_FROM);

/** Adds the options of workers. */
export const withLimitOptions = <A extends unknown[], O extends OptionValues>(command: Command<A, O>) =>
  command
    .option(
      '--workers <n>',
      'number of workers, which are processes (default: number of cores)',
      wholeNumber('--workers', 1),
    )
    .option(
      '--timeout <s>',
      `the longest time of one capture, in seconds (default: ${DEFAULT_LIMITS.timeoutMs / 1000})`,
      numberOption('--timeout', 'a number of seconds greater than 0', (n) => n > 0 && n < LONGEST),
    )
    .option(
      '--memory <MB>',
      `the memory of one worker (default: ${DEFAULT_LIMITS.memoryMb})`,
      wholeNumber('--memory', 16),
    );

/** Returns the options of a worker pool. */
export const poolOptions = ({ workers, timeout, memory }: LimitOptions) => ({
  workers,
  timeoutMs: timeout === undefined ? undefined : timeout * 1000,
  memoryMb: memory,
});

/** The option of every command. */
type Common = Partial<Record<'quiet', true>>;
type OptionsOf<C extends { opts(): unknown }> = ReturnType<C['opts']>;

/** The options that these functions add. */
export type LimitOptions = OptionsOf<ReturnType<typeof withLimitOptions<[], Common>>>;
export type ReportingOptions = OptionsOf<ReturnType<typeof withReportingOptions<[], Common>>>;
export type ComparisonOptions = OptionsOf<ReturnType<typeof withComparisonOptions<[], Common>>>;
